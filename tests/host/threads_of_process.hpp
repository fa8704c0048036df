// What the kernel knows of the threads of this process.
#pragma once

#include "host.hpp"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

namespace host {

inline std::vector<pid_t> threads_of_process() {
  std::vector<pid_t> all;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) skip("no /proc/self/task");
  while (const dirent* const entry = readdir(tasks)) {
    if (const int tid = std::atoi(entry->d_name); tid > 0) all.push_back(tid);
  }
  closedir(tasks);
  return all;
}

/// Of `all`, without those in `but`.
inline std::vector<pid_t> others(const std::vector<pid_t>& all, const std::vector<pid_t>& but) {
  std::vector<pid_t> rest;
  for (const pid_t tid : all) {
    bool known = false;
    for (const pid_t other : but) known = known || other == tid;
    if (!known) rest.push_back(tid);
  }
  return rest;
}

inline cpu_set_t cpus_of(pid_t tid) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const bool known = sched_getaffinity(tid, sizeof set, &set) == 0;
  if (!known && errno == ENOSYS) skip("a thread's CPUs cannot be read here");
  HOST_CHECK(known);
  return set;
}

inline int first_cpu(const cpu_set_t& set) {
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  return cpu;
}

inline cpu_set_t one_of(const cpu_set_t& set) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first_cpu(set), &one);
  return one;
}

inline void bind_this_thread(const cpu_set_t& set) {
  if (sched_setaffinity(0, sizeof set, &set) != 0) skip("threads cannot be bound here");
}
/// As `taskset -a` does.
inline void bind_all_threads(const cpu_set_t& set) {
  bind_this_thread(set);
  for (const pid_t tid : threads_of_process()) sched_setaffinity(tid, sizeof set, &set);
}

/// The process's CPUs, two or more: the program cannot show anything otherwise.
inline cpu_set_t several_cpus() {
  const cpu_set_t all = cpus_of(0);
  if (CPU_COUNT(&all) < 2) skip("one CPU");
  return all;
}

}  // namespace host
