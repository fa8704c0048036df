// The quota is in cpu.max (v2), or cpu.cfs_quota_us and cpu.cfs_period_us (v1).
#include "platform/threads/cpu_count.hpp"

#include "platform/threads/cgroups.hpp"
#include "platform/threads/cpu_set.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::platform {
namespace {

// Zero and less are no limits: v1 says -1 for none, and nothing could run with 0.
std::optional<double> quota_in_cpus(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// cpu.max is "QUOTA PERIOD" or "max PERIOD", in microseconds. "max" is no number, so no limit.
std::optional<double> read_v2(const std::string& file) {
  const auto text = read_small_file(file);
  if (!text) {
    return std::nullopt;
  }
  std::string_view rest = *text;
  std::string_view line = take_field(rest, '\n');
  const auto quota = parse_whole_number(take_field(line, ' '));
  return quota_in_cpus(quota, parse_whole_number(line));
}

// Without a limit the quota is -1.
std::optional<double> read_v1(const std::string& quota_file, const std::string& period_file) {
  const auto first_line = [](const std::string& file) -> std::optional<std::int64_t> {
    const auto text = read_small_file(file);
    if (!text) {
      return std::nullopt;
    }
    std::string_view rest = *text;
    return parse_whole_number(take_field(rest, '\n'));
  };
  return quota_in_cpus(first_line(quota_file), first_line(period_file));
}

// On a tie the ancestor is kept, which is visited first: it is the one that binds all.
void tighten(cpu_limits& limits, cgroup_version kind, const std::string& directory) {
  const std::string file = directory + (kind == cgroup_version::v2 ? "/cpu.max" : "/cpu.cfs_quota_us");
  const auto quota = kind == cgroup_version::v2 ? read_v2(file) : read_v1(file, directory + "/cpu.cfs_period_us");
  if (quota && *quota < limits.quota) {
    limits.quota = *quota;
    limits.quota_file = file;
  }
}

}  // namespace

unsigned affinity_cpus() noexcept {
  if (const unsigned cpus = cpus_of_process().count(); cpus > 0) {
    return cpus;
  }
  // Some sandboxes tell nothing of the above.
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<unsigned>(online) : 1U;
}

unsigned cpu_limits::usable() const noexcept {
  // In this order, so that a huge quota is never converted to an integer.
  const double limit = std::min(static_cast<double>(affinity), std::ceil(quota));
  return static_cast<unsigned>(limit);
}

cpu_limits find_cpu_limits(const cpu_sources& sources) noexcept {
  cpu_limits limits;
  limits.affinity = std::max(1U, sources.affinity());
  try {
    for_each_cgroup(sources.root, "cpu", [&](cgroup_version kind, const std::string& directory) {
      tighten(limits, kind, directory);
    });
  } catch (...) {
    // Out of memory: what was found so far holds, and no more is known.
  }
  return limits;
}

unsigned usable_cpus(const cpu_sources& sources) noexcept { return find_cpu_limits(sources).usable(); }

}  // namespace takt::platform
