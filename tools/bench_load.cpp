#include "tools/bench_load.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/usage_error.hpp"

namespace takt::tools {
namespace {

constexpr bench_load k_loads[] = {{"none", ""},
                                  {"spin-2", "beside 2", 2},
                                  {"spin-4", "beside 4", 4},
                                  {"nice-10", "nice 10 beside 2", 2, 10},
                                  {"quota", "half the CPUs", 0, 0, true}};

constexpr int k_period_us = 100'000;

[[noreturn]] void spin() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  for (;;) {
    asm volatile("");
  }
}

// The folder of this process's group, with the CPU controller; "" if there is none.
std::string cpu_group_here() {
  std::ifstream file("/proc/self/cgroup");
  // "5:cpu,cpuacct:/a" of the first version, "0::/a" of the second.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    for (const std::string root : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup"}) {
      const bool is_first = root.size() > std::strlen("/sys/fs/cgroup");
      if (is_first ? controllers.find(",cpu,") == std::string::npos : controllers != ",,") {
        continue;
      }
      const std::string folder = root + path;
      if (access((folder + (is_first ? "/cpu.cfs_quota_us" : "/cgroup.controllers")).c_str(), F_OK) == 0) {
        return folder;
      }
    }
  }
  return "";
}

// In one write, as the kernel wants it. @returns 0, or what is wrong.
int put(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) {
    return errno;
  }
  const int error = write(file, text.data(), text.size()) < 0 ? errno : 0;
  close(file);
  return error;
}

// A group below this process's, with half of the CPUs' time. @returns why there is none; "": there is.
std::string make_group(std::string& folder) {
  const std::string here = cpu_group_here();
  if (here.empty()) {
    return "no control group with a CPU controller";
  }
  const std::string wanted = fmt::format("{}/takt-bench-{}", here, getpid());
  if (mkdir(wanted.c_str(), 0755) != 0) {
    return fmt::format("{}: {}", wanted, std::strerror(errno));
  }
  const int quota_us = static_cast<int>(std::max(1U, std::thread::hardware_concurrency())) * k_period_us / 2;
  const bool is_first = access((wanted + "/cpu.cfs_quota_us").c_str(), F_OK) == 0;
  const int error = is_first ? put(wanted + "/cpu.cfs_quota_us", std::to_string(quota_us))
                             : put(wanted + "/cpu.max", fmt::format("{} {}", quota_us, k_period_us));
  if (error != 0) {
    rmdir(wanted.c_str());
    return fmt::format("{}: {}", wanted, std::strerror(error));
  }
  folder = wanted;
  return "";
}

}  // namespace

const bench_load& load_named(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(k_loads), std::end(k_loads), [&](const bench_load& one) { return one.name == name; });
  if (found == std::end(k_loads)) {
    std::vector<std::string_view> known;
    std::transform(std::begin(k_loads), std::end(k_loads), std::back_inserter(known),
                   [](const bench_load& one) { return one.name; });
    throw usage_error(fmt::format("unknown load '{}'; known: {}", name, fmt::join(known, ", ")));
  }
  return *found;
}

std::string why_no_quota() {
  std::string folder;
  std::string why = make_group(folder);
  if (why.empty()) {
    rmdir(folder.c_str());
  }
  return why;
}

load_in_force::load_in_force(const bench_load& load) : load_(load) {
  if (load.quota) {
    if (const std::string why = make_group(group_); !why.empty()) {
      throw runner_failure(fmt::format("no quota: {}", why));
    }
  }
  for (int i = 0; i < load.spinners; ++i) {
    const pid_t one = fork();
    if (one == 0) {
      spin();
    }
    if (one > 0) {
      spinners_.push_back(one);
    }
  }
}

load_in_force::~load_in_force() {
  for (const pid_t one : spinners_) {
    kill(one, SIGKILL);
    waitpid(one, nullptr, 0);
  }
  if (!group_.empty()) {
    rmdir(group_.c_str());
  }
}

void load_in_force::apply(runner_command& command) const {
  command.niceness = load_.niceness;
  command.group = group_.empty() ? "" : group_ + "/cgroup.procs";
}

}  // namespace takt::tools
