#include "other_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace pagerank {
namespace {

// The first line of /proc/stat: ticks of all CPUs together, in the order of proc(5).
std::optional<double> machine_cpu_seconds() {
  enum { user, nice, system, idle, iowait, irq, softirq, steal, columns };
  std::ifstream in("/proc/stat");
  std::string cpu;
  std::array<double, columns> ticks{};
  in >> cpu;
  for (double& column : ticks) in >> column;
  if (!in || cpu != "cpu") {
    return std::nullopt;
  }
  double busy = 0.0;
  for (const auto column : {user, nice, system, irq, softirq, steal}) busy += ticks[column];
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double own_cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

other_load::other_load()
    : begin_(std::chrono::steady_clock::now()), busy_(machine_cpu_seconds()), own_(own_cpu_seconds()) {}

std::optional<double> other_load::cpus() const {
  const std::optional<double> busy = machine_cpu_seconds();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  // Ticks are too coarse for less.
  if (!busy_ || !busy || elapsed < std::chrono::milliseconds(100)) {
    return std::nullopt;
  }
  const double others = (*busy - *busy_) - (own_cpu_seconds() - own_);
  return std::max(0.0, others / elapsed.count());
}

}  // namespace pagerank
