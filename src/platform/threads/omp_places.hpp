// Where a user of OpenMP wants threads: OMP_PLACES and OMP_PROC_BIND, as hints of which CPUs workers are meant for.
#pragma once

#include "platform/cpu_set.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace takt::platform {

/// OMP_PLACES.
struct places {
  enum class kind : std::uint8_t {
    threads,  ///< one CPU each
    cores,
    caches,  ///< also sockets and the like: takt binds to no less than a cache
    listed,
  };
  kind what = kind::cores;
  /// Only so many; 0: all. Of threads and cores.
  unsigned count = 0;
  /// If they are listed.
  std::vector<cpu_set> list{};
};

/// OMP_PROC_BIND. What takt does with close it does without a hint, too; what primary asks for, all threads in one
/// place, would leave the others' CPUs idle: it is taken for close.
enum class proc_bind : std::uint8_t { close, spread, none };

/// What the variable says; nothing: it cannot be understood. As OpenMP 5.2 has it (section 21.1.6), but for what is
/// left out by "!", for counts of sockets, numa_domains and ll_caches, for more places than cpu_set::k_most, and for a
/// stride of 0 that repeats.
/// @throws std::bad_alloc
std::optional<places> parse_places(std::string_view text);
/// What the first of a list says, which is that of outermost regions.
std::optional<proc_bind> parse_proc_bind(std::string_view text);

struct place_hints {
  places where{};
  proc_bind how = proc_bind::close;
  /// Of each variable: it is set, and cannot be understood.
  bool is_bad_places = false;
  bool is_bad_proc_bind = false;
};

/// @throws std::bad_alloc
place_hints hints_of_environment();

}  // namespace takt::platform
