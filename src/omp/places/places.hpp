// Where a user of OpenMP wants threads: OMP_PLACES and OMP_PROC_BIND, as hints of which CPUs workers are meant for.
#pragma once

#include "platform/placement.hpp"

#include <optional>
#include <string_view>

namespace takt::omp {

/// What OMP_PLACES says; nothing: it cannot be understood. As OpenMP 5.2 has it (section 21.1.6), but for what is
/// left out by "!", for counts of sockets, numa_domains and ll_caches, for more places than cpu_set::k_most, and for a
/// stride of 0 that repeats. Sockets and the like are caches: takt binds to no less than a cache.
/// @throws std::bad_alloc
std::optional<platform::places> parse_places(std::string_view text);
/// What the first of the list in OMP_PROC_BIND says, which is that of outermost regions. What takt does with close it
/// does without a hint, too; what primary asks for, all threads in one place, would leave the others' CPUs idle: it is
/// taken for close.
std::optional<platform::binding> parse_proc_bind(std::string_view text);

struct place_hints {
  platform::placement wanted{};
  /// Of each variable: it is set, and cannot be understood.
  bool is_bad_places = false;
  bool is_bad_proc_bind = false;
};

/// @throws std::bad_alloc
place_hints hints_of_environment();

}  // namespace takt::omp
