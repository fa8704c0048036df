// The cgroups that this process is in.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace takt::platform {

enum class cgroup_version { v1, v2 };

/// Calls `visit` with the directory of each cgroup that the process is in, from the topmost that can be seen down to
/// its own, in v2 and in the hierarchy of v1 that has `controller`. `root` is put before every path: for tests.
/// @throws std::bad_alloc; what is missing, unreadable or malformed is left out.
void for_each_cgroup(const std::string& root, std::string_view controller,
                     const std::function<void(cgroup_version, const std::string& directory)>& visit);

// For files under /proc and /sys.
std::optional<std::string> read_small_file(const std::string& path);
/// Up to the next separator; text moves past it.
std::string_view take_field(std::string_view& text, char separator);
/// The whole text or nothing: half a number would be a limit that nobody set.
std::optional<std::int64_t> parse_whole_number(std::string_view text);

}  // namespace takt::platform
