// How the quota is found (cgroups(7), proc(5), cgroup_namespaces(7)):
//   /proc/self/cgroup     in which cgroup of each hierarchy this process is
//   /proc/self/mountinfo  where those hierarchies can be seen, and from which cgroup down
//   cpu.max (v2), cpu.cfs_quota_us and cpu.cfs_period_us (v1)   in every directory between
// Nothing is assumed about /sys/fs/cgroup: containers mount other things in other places.
#include "platform/threads/cpu_count.hpp"

#include "platform/threads/cpu_set.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace takt::platform {
namespace {

using components = std::vector<std::string_view>;

// Files under /proc and /sys have no size to ask for: read until the end.
std::optional<std::string> read_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return std::nullopt;
  }
  std::string text;
  // The tables of a busy host are longer than this; a quota is one short read.
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) != 0) {
    if (n > 0) {
      text.append(buffer, static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      break;
    }
  }
  ::close(fd);
  return n == 0 ? std::optional(std::move(text)) : std::nullopt;
}

// Up to the next separator; text moves past it.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

// Whole items only: "cpu" is in "rw,cpu,cpuacct" and not in "rw,cpuset".
bool has_item(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    if (take(list, ',') == item) {
      return true;
    }
  }
  return false;
}

// Empty parts are dropped, so that "/", "" and a trailing slash need no care later.
components split_path(std::string_view path) {
  components parts;
  while (!path.empty()) {
    if (const auto part = take(path, '/'); !part.empty()) {
      parts.push_back(part);
    }
  }
  return parts;
}

// The whole text or nothing: half a number would be a limit that nobody set.
std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// mountinfo writes space, tab, newline and backslash as three octal digits.
std::string unescape(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) && octal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

// One cgroup hierarchy: v2, or the one of v1 that has the cpu controller.
enum class version { v1, v2 };

struct mount {
  version kind;
  std::string root;   // the cgroup that is visible at point
  std::string point;  // without the sources' prefix
};

// "36 35 98:0 /root /point options... - type source super-options" (proc(5)); the number of
// fields before the dash varies.
std::optional<mount> parse_mount(std::string_view line) {
  for (int skipped = 0; skipped < 3; ++skipped) {
    take(line, ' ');
  }
  const std::string_view root = take(line, ' ');
  const std::string_view point = take(line, ' ');
  while (!line.empty() && take(line, ' ') != "-") {
  }
  const std::string_view type = take(line, ' ');
  take(line, ' ');
  const std::string_view options = take(line, ' ');
  // A line that ends early leaves empty fields, and an empty type is neither of the two below.
  if (point.empty()) {
    return std::nullopt;
  }
  if (type == "cgroup2") {
    return mount{version::v2, unescape(root), unescape(point)};
  }
  // v1 has one hierarchy per controller or group of controllers; the others have no quota.
  if (type == "cgroup" && has_item(options, "cpu")) {
    return mount{version::v1, unescape(root), unescape(point)};
  }
  return std::nullopt;
}

// The process's own cgroup in that hierarchy, from "id:controllers:path" lines.
std::optional<std::string_view> own_cgroup(std::string_view table, version kind) {
  while (!table.empty()) {
    std::string_view line = take(table, '\n');
    const std::string_view id = take(line, ':');
    const std::string_view controllers = take(line, ':');
    // v2 is the entry with number 0 and no controllers; v1 numbers differ from boot to boot.
    const bool found = kind == version::v2 ? id == "0" && controllers.empty() : has_item(controllers, "cpu");
    // What is left is the path, colons and all.
    if (found && !line.empty()) {
      return line;
    }
  }
  return std::nullopt;
}

// The part of a cgroup's path that lies below the mount's root; nothing when the mount does
// not show the cgroup.
//
// Both paths are relative to the cgroup namespace and start with /.. when they lie outside it.
// A root of nothing but /.. is an ancestor of everything with fewer of them, although the
// names in between are unknown: then only the mount point itself can be read.
std::optional<components> below_root(std::string_view cgroup, std::string_view root) {
  const components path = split_path(cgroup);
  const components base = split_path(root);
  const auto is_up = [](std::string_view part) { return part == ".."; };
  if (base.size() <= path.size() && std::equal(base.begin(), base.end(), path.begin())) {
    components rest(path.begin() + static_cast<std::ptrdiff_t>(base.size()), path.end());
    if (std::none_of(rest.begin(), rest.end(), is_up)) {
      return rest;
    }
  } else if (std::all_of(base.begin(), base.end(), is_up)) {
    return components{};
  }
  return std::nullopt;
}

// Zero and less are no limits: v1 says -1 for none, and nothing could run with 0.
std::optional<double> quota_in_cpus(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// cpu.max is "QUOTA PERIOD" or "max PERIOD", in microseconds. "max" is no number, so no limit.
std::optional<double> read_v2(const std::string& file) {
  const auto text = read_file(file);
  if (!text) {
    return std::nullopt;
  }
  std::string_view rest = *text;
  std::string_view line = take(rest, '\n');
  const auto quota = parse_number(take(line, ' '));
  return quota_in_cpus(quota, parse_number(line));
}

// Without a limit the quota is -1.
std::optional<double> read_v1(const std::string& quota_file, const std::string& period_file) {
  const auto first_line = [](const std::string& file) -> std::optional<std::int64_t> {
    const auto text = read_file(file);
    if (!text) {
      return std::nullopt;
    }
    std::string_view rest = *text;
    return parse_number(take(rest, '\n'));
  };
  return quota_in_cpus(first_line(quota_file), first_line(period_file));
}

// On a tie the ancestor is kept, which is visited first: it is the one that binds all.
void tighten(cpu_limits& limits, version kind, const std::string& directory) {
  const std::string file = directory + (kind == version::v2 ? "/cpu.max" : "/cpu.cfs_quota_us");
  const auto quota = kind == version::v2 ? read_v2(file) : read_v1(file, directory + "/cpu.cfs_period_us");
  if (quota && *quota < limits.quota) {
    limits.quota = *quota;
    limits.quota_file = file;
  }
}

void apply_quotas(cpu_limits& limits, const std::string& root) {
  const auto cgroups = read_file(root + "/proc/self/cgroup");
  const auto mounts = read_file(root + "/proc/self/mountinfo");
  if (!cgroups || !mounts) {
    return;
  }
  // Hybrid machines show both versions, and a hierarchy may be mounted twice: all of them are
  // asked and the tightest answer is taken.
  std::string_view lines = *mounts;
  while (!lines.empty()) {
    const auto found = parse_mount(take(lines, '\n'));
    const auto cgroup = found ? own_cgroup(*cgroups, found->kind) : std::nullopt;
    const auto below = cgroup ? below_root(*cgroup, found->root) : std::nullopt;
    if (!below) {
      continue;
    }
    // Every ancestor counts: a container's own cgroup often has no quota while the pod's,
    // one level up, has.
    std::string directory = root + found->point;
    tighten(limits, found->kind, directory);
    for (const std::string_view part : *below) {
      directory.append("/").append(part);
      tighten(limits, found->kind, directory);
    }
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
    apply_quotas(limits, sources.root);
  } catch (...) {
    // Out of memory: what was found so far holds, and no more is known.
  }
  return limits;
}

unsigned usable_cpus(const cpu_sources& sources) noexcept { return find_cpu_limits(sources).usable(); }

}  // namespace takt::platform
