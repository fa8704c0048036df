// How many CPUs this process may really use.
//
// Three different things can be tighter than the number of CPUs in the machine: the affinity
// of its threads (taskset, a cpuset), the CPU bandwidth quota of the process's cgroup, and the quota of
// any cgroup above it. A pool that is larger than the tightest of them is throttled in the
// middle of its work, all workers at once.
#pragma once

#include <limits>
#include <string>

namespace takt::platform {

// CPUs of the process (cpus_of_process), at least 1; where that is not known, the CPUs that are
// online.
unsigned affinity_cpus() noexcept;

// Where the numbers come from; tests give a tree of their own.
struct cpu_sources {
  std::string root;  // put before every path that is read; empty: the machine itself
  unsigned (*affinity)() noexcept = &affinity_cpus;
};

inline constexpr double k_no_quota = std::numeric_limits<double>::infinity();

struct cpu_limits {
  unsigned affinity = 1;
  double quota = k_no_quota;  // in CPUs, of the tightest cgroup; above 0
  std::string quota_file;     // the file that says so, with the root prefix; empty: no quota

  // min(affinity, quota rounded up), at least 1.
  //
  // Up and not down: a quota limits CPU time per period, not the number of CPUs, so with
  // 1.5 CPUs one worker would leave a third of what was paid for unused. A second worker
  // uses it, and costs nothing while it has nothing to do, since idle workers sleep.
  unsigned usable() const noexcept;
};

// Never fails: a file that is missing, unreadable or malformed sets no limit.
// A few milliseconds at most; meant to be called when a pool starts.
cpu_limits find_cpu_limits(const cpu_sources& sources = cpu_sources()) noexcept;

// find_cpu_limits(sources).usable()
unsigned usable_cpus(const cpu_sources& sources = cpu_sources()) noexcept;

}  // namespace takt::platform
