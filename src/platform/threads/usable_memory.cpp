#include "platform/threads/usable_memory.hpp"

#include "platform/threads/cgroups.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace takt::platform {

namespace {

// 0 is no limit: nothing could run with it.
void tighten(memory_limit& limit, std::uint64_t bytes, std::string from) {
  if (bytes == 0 || (limit.bytes != 0 && bytes >= limit.bytes)) return;
  limit.bytes = bytes;
  limit.from = std::move(from);
}

}  // namespace

memory_limit usable_memory(const std::string& root) {
  memory_limit limit;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    tighten(limit, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page), "physical memory");
  }
  for (const auto& [resource, name] : {std::pair(RLIMIT_AS, "RLIMIT_AS"), std::pair(RLIMIT_DATA, "RLIMIT_DATA")}) {
    rlimit most{};
    if (::getrlimit(resource, &most) == 0 && most.rlim_cur != RLIM_INFINITY) tighten(limit, most.rlim_cur, name);
  }
  for_each_cgroup(root, "memory", [&limit](cgroup_version kind, const std::string& directory) {
    const std::string file = directory + (kind == cgroup_version::v2 ? "/memory.max" : "/memory.limit_in_bytes");
    const auto text = read_small_file(file);
    if (!text) return;
    std::string_view rest = *text;
    // "max" is no number, so no limit; v1 says a number beyond any machine.
    const auto bytes = parse_whole_number(take_field(rest, '\n'));
    if (bytes && *bytes > 0) tighten(limit, static_cast<std::uint64_t>(*bytes), file);
  });
  return limit;
}

}  // namespace takt::platform
