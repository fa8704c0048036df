#include "platform/threads/cpu_set.hpp"

#include <dirent.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

namespace takt::platform {

bool affinity_of(pid_t tid, cpu_set& out) noexcept {
  out = {};
  // The system call itself: it tells how much it has written, and takes any size that is enough.
  return syscall(SYS_sched_getaffinity, tid, cpu_set::k_bytes, out.words()) > 0;
}

bool set_affinity_of(pid_t tid, const cpu_set& cpus) noexcept {
  return syscall(SYS_sched_setaffinity, tid, cpu_set::k_bytes, cpus.words()) == 0;
}

cpu_set cpus_of_process() noexcept {
  cpu_set all;
  cpu_set one;
  if (DIR* const tasks = opendir("/proc/self/task"); tasks != nullptr) {
    while (const dirent* const entry = readdir(tasks)) {
      // A thread that has ended meanwhile has no CPUs. 0 would be the calling thread: "." and "..".
      const auto tid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
      if (tid > 0 && affinity_of(tid, one)) all.add(one);
    }
    closedir(tasks);
  }
  // Without /proc: the thread that calls, and the first one of the process.
  if (all.count() == 0) {
    for (const pid_t tid : {0, getpid()}) {
      if (affinity_of(tid, one)) all.add(one);
    }
  }
  return all;
}

}  // namespace takt::platform
