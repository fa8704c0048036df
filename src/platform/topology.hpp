// CPUs and caches: how many, who shares them, and who runs where.
#pragma once

#include "platform/cpu_set.hpp"
#include "platform/placement.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::platform {

/// A cache that several workers share, where worker i is the one of seat i.
struct shared_cache {
  unsigned level;  ///< as processors count: 3 is outside of 2
  unsigned first;  ///< worker
  unsigned workers;
  std::uint64_t bytes;
  cpu_set cpus{};  ///< where these workers have to run; empty: wherever they are for the caches outside of it
};

class topology {
 public:
  /// CPUs that the process may use now, at least 1.
  virtual unsigned usable_cpus() noexcept = 0;
  /// What usable_cpus() may ever come to.
  virtual unsigned most_cpus() noexcept { return usable_cpus(); }
  /// How many workers a runtime has here, whatever its settings say; 0: what they say.
  virtual unsigned fixed_workers() noexcept { return 0; }
  /// The shared caches of so many workers, who are meant for the CPUs that are `wanted`, in `out`, the outer levels
  /// first, and those of a level by their first worker; each level has all workers. None where workers would have to
  /// share CPUs.
  /// @returns how many there are; what is beyond `most` is left out.
  virtual std::size_t shared_caches(unsigned workers, const placement& wanted, shared_cache* out,
                                    std::size_t most) noexcept {
    (void)workers, (void)wanted, (void)out, (void)most;
    return 0;
  }
  /// The calling thread, if start_thread() has made it, runs on these CPUs from now on, as far as they are the
  /// process's and nobody else has bound it; null: on all of the process's. The set stays as it is until the next call,
  /// or the thread's end.
  virtual void keep_to(const cpu_set* cpus) noexcept { (void)cpus; }
  /// Whether that binds threads of this process, as of now.
  virtual bool can_keep_to() noexcept { return false; }

 protected:
  ~topology() = default;
};

}  // namespace takt::platform
