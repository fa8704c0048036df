// A static schedule on the machine that takt's programs are simulated on; for programs of outer loops.
#pragma once

#include <cstddef>

#include <takt/touch.hpp>

#include "locality/static_team.hpp"

namespace takt::bench::par::inline over_static {

inline constexpr const char* k_system = "static";

struct affinity {};

inline void touch(const void* first, std::size_t bytes) { takt::touch(first, bytes); }

template <class Body>
void outer_loop(std::size_t count, std::size_t /*bytes*/, affinity& /*same*/, const Body& body) {
  run_static(count, [&body](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      body(i);
    }
  });
}

}  // namespace takt::bench::par::inline over_static
