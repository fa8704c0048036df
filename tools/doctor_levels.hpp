// What the doctor says of the caches that workers share.
#pragma once

#include "omp/places/places.hpp"
#include "platform/threads/caches.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace takt::tools {

struct level_facts {
  platform::seats seats;
  std::string policy;        // in force
  bool can_bind;             // as the platform says of this process
  omp::place_hints hints{};  // that the seats were made with
};

// Where the policy uses levels: those that it uses.
bool uses_levels(const level_facts& facts);
bool is_used(const level_facts& facts, const platform::shared_cache& cache);

// Lines for a reader, each with its end.
std::string text_of(const level_facts& facts);
nlohmann::ordered_json json_of(const level_facts& facts);

}  // namespace takt::tools
