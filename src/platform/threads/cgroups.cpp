// How cgroups are found (cgroups(7), proc(5), cgroup_namespaces(7)):
//   /proc/self/cgroup     in which cgroup of each hierarchy this process is
//   /proc/self/mountinfo  where those hierarchies can be seen, and from which cgroup down
// Nothing is assumed about /sys/fs/cgroup: containers mount other things in other places.
#include "platform/threads/cgroups.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

namespace takt::platform {

// Files under /proc and /sys have no size to ask for: read until the end.
std::optional<std::string> read_small_file(const std::string& path) {
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
std::string_view take_field(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

// The whole text or nothing: half a number would be a limit that nobody set.
std::optional<std::int64_t> parse_whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

namespace {

using components = std::vector<std::string_view>;

// Whole items only: "cpu" is in "rw,cpu,cpuacct" and not in "rw,cpuset".
bool has_item(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    if (take_field(list, ',') == item) {
      return true;
    }
  }
  return false;
}

// Empty parts are dropped, so that "/", "" and a trailing slash need no care later.
components split_path(std::string_view path) {
  components parts;
  while (!path.empty()) {
    if (const auto part = take_field(path, '/'); !part.empty()) {
      parts.push_back(part);
    }
  }
  return parts;
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

// One cgroup hierarchy: v2, or the one of v1 that has the controller.
struct mount {
  cgroup_version kind;
  std::string root;   // the cgroup that is visible at point
  std::string point;  // without the sources' prefix
};

// "36 35 98:0 /root /point options... - type source super-options" (proc(5)); the number of
// fields before the dash varies.
std::optional<mount> parse_mount(std::string_view line, std::string_view controller) {
  for (int skipped = 0; skipped < 3; ++skipped) {
    take_field(line, ' ');
  }
  const std::string_view root = take_field(line, ' ');
  const std::string_view point = take_field(line, ' ');
  while (!line.empty() && take_field(line, ' ') != "-") {
  }
  const std::string_view type = take_field(line, ' ');
  take_field(line, ' ');
  const std::string_view options = take_field(line, ' ');
  // A line that ends early leaves empty fields, and an empty type is neither of the two below.
  if (point.empty()) {
    return std::nullopt;
  }
  if (type == "cgroup2") {
    return mount{cgroup_version::v2, unescape(root), unescape(point)};
  }
  // v1 has one hierarchy per controller or group of controllers; the others have nothing to say.
  if (type == "cgroup" && has_item(options, controller)) {
    return mount{cgroup_version::v1, unescape(root), unescape(point)};
  }
  return std::nullopt;
}

// The process's own cgroup in that hierarchy, from "id:controllers:path" lines.
std::optional<std::string_view> own_cgroup(std::string_view table, cgroup_version kind, std::string_view controller) {
  while (!table.empty()) {
    std::string_view line = take_field(table, '\n');
    const std::string_view id = take_field(line, ':');
    const std::string_view controllers = take_field(line, ':');
    // v2 is the entry with number 0 and no controllers; v1 numbers differ from boot to boot.
    const bool found =
        kind == cgroup_version::v2 ? id == "0" && controllers.empty() : has_item(controllers, controller);
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

}  // namespace

void for_each_cgroup(const std::string& root, std::string_view controller,
                     const std::function<void(cgroup_version, const std::string& directory)>& visit) {
  const auto cgroups = read_small_file(root + "/proc/self/cgroup");
  const auto mounts = read_small_file(root + "/proc/self/mountinfo");
  if (!cgroups || !mounts) {
    return;
  }
  // Hybrid machines show both versions, and a hierarchy may be mounted twice: all of them are
  // asked and the tightest answer is taken.
  std::string_view lines = *mounts;
  while (!lines.empty()) {
    const auto found = parse_mount(take_field(lines, '\n'), controller);
    const auto cgroup = found ? own_cgroup(*cgroups, found->kind, controller) : std::nullopt;
    const auto below = cgroup ? below_root(*cgroup, found->root) : std::nullopt;
    if (!below) {
      continue;
    }
    // Every ancestor counts: a container's own cgroup often has no limit while the pod's,
    // one level up, has.
    std::string directory = root + found->point;
    visit(found->kind, directory);
    for (const std::string_view part : *below) {
      directory.append("/").append(part);
      visit(found->kind, directory);
    }
  }
}

}  // namespace takt::platform
