// Which CPUs share which caches, and which worker belongs to which of them.
#pragma once

#include "platform/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace takt::platform {

/// A cache that holds data.
struct cpu_cache {
  unsigned level;  ///< 1 is the innermost
  std::uint64_t bytes;
  cpu_set cpus;
};

/// Those that at least one of `cpus` has, without CPUs that are none of these, as the kernel tells; `root` is put
/// before every path: for tests. What is missing or malformed is left out. Takes about 40 microseconds for each CPU.
/// @throws std::bad_alloc
std::vector<cpu_cache> caches_of(const cpu_set& cpus, const std::string& root = {});

/// Which CPU each worker is meant for, and what they share.
struct seats {
  std::vector<unsigned> cpus;        ///< by seat; empty: there are more workers than CPUs
  std::vector<shared_cache> caches;  ///< as platform::shared_caches() gives them
  bool are_too_many = false;         ///< workers for the CPUs that are wanted, which was not heeded
  bool are_left_out = false;         ///< caches that need who is bound, as nobody is to be
};

/// Who shares a cache sits side by side, beginning with those that `here` shares, the CPU of who asks. With fewer
/// workers than CPUs each core has one before any has two; a core is the CPUs that share a cache of level 1. A level is
/// left out if its caches are shared within cores only, if not all workers have one, or if it does not nest in those
/// outside. Nobody is bound to one core: a cache of one has no `cpus`. A level of several caches has one with `cpus`,
/// as cores share one of them.
///
/// With places, only their CPUs are meant for anybody; of a list each place has one worker before any has two, and
/// caches, and the CPUs in them, are in the order of the list, from the place that `here` is in around to the one
/// before it. `spread`, and places that are caches: who is left over when each core (place) has as many is even over
/// all of them, and not in the first ones. `none`: nobody has to run anywhere, and a level that would need it is left
/// out.
/// @throws std::bad_alloc
seats arrange_seats(unsigned workers, const cpu_set& cpus, const std::vector<cpu_cache>& caches, unsigned here,
                    const placement& wanted = {});

/// arrange_seats() on this machine, for this process and thread.
seats find_seats(unsigned workers, const placement& wanted);

}  // namespace takt::platform
