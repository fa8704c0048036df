#include "platform/threads/usable_memory.hpp"

#include "platform/stacks.hpp"
#include "platform/threads/cgroups.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
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

namespace {

// The beginning of a file, as text. @returns its length; 0: nothing can be read.
std::size_t read_text(const char* root, const char* path, char* text, std::size_t most) noexcept {
  char name[512];
  std::snprintf(name, sizeof name, "%s%s", root, path);
  const int file = ::open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = ::read(file, text, most - 1);
  ::close(file);
  const std::size_t length = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  text[length] = '\0';
  return length;
}

// In pages: all that is mapped, and what counts as data. @returns false where the system does not say.
bool read_mapped_pages(const char* root, std::uint64_t& all, std::uint64_t& data) noexcept {
  char text[256];
  const std::size_t bytes = read_text(root, "/proc/self/statm", text, sizeof text);
  if (bytes == 0) return false;
  // size resident shared text lib data dt
  std::string_view rest(text, bytes);
  std::uint64_t field[6];
  for (std::uint64_t& f : field) {
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), f);
    if (error != std::errc{}) return false;
    rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(stop - rest.data()) + 1));
  }
  all = field[0];
  data = field[5];
  return true;
}

// What all processes together may still promise to use, where the system keeps them to it (vm.overcommit_memory = 2): a
// stack counts as a whole there. No limit where nobody says. Not on the stack of a caller whose system does not.
[[gnu::noinline]] std::uint64_t uncommitted_bytes(const char* root) noexcept {
  char text[2048];
  read_text(root, "/proc/meminfo", text, sizeof text);
  const auto bytes = [&text](const char* name) {
    const char* const at = std::strstr(text, name);
    return at != nullptr ? std::strtoull(at + std::strlen(name), nullptr, 10) << 10 : stacks::k_no_limit;
  };
  const std::uint64_t limit = bytes("\nCommitLimit:");
  const std::uint64_t promised = bytes("\nCommitted_AS:");
  if (limit == stacks::k_no_limit || promised == stacks::k_no_limit) return stacks::k_no_limit;
  return limit - std::min(limit, promised);
}

bool is_kept_to_commitments(const char* root) noexcept {
  char text[16];
  return read_text(root, "/proc/sys/vm/overcommit_memory", text, sizeof text) != 0 && text[0] == '2';
}

std::uint64_t limit_of(decltype(RLIMIT_AS) resource) noexcept {
  rlimit most{};
  const bool is_limited = ::getrlimit(resource, &most) == 0 && most.rlim_cur != RLIM_INFINITY;
  return is_limited ? most.rlim_cur : stacks::k_no_limit;
}

}  // namespace

unmapped unmapped_space(const char* root) noexcept {
  const std::uint64_t promised = is_kept_to_commitments(root) ? uncommitted_bytes(root) : stacks::k_no_limit;
  std::uint64_t left = limit_of(RLIMIT_AS);
  std::uint64_t left_of_data = limit_of(RLIMIT_DATA);
  if (left != stacks::k_no_limit || left_of_data != stacks::k_no_limit) {
    std::uint64_t all = 0;
    std::uint64_t data = 0;
    const bool is_known = read_mapped_pages(root, all, data);
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const auto subtract = [is_known, page](std::uint64_t& limit, std::uint64_t pages) {
      // Where nobody says what is mapped, half of what may be.
      if (limit != stacks::k_no_limit) limit -= is_known ? std::min(limit, pages * page) : limit / 2;
    };
    subtract(left, all);
    subtract(left_of_data, data);
  }
  unmapped least{stacks::k_no_limit, nullptr};
  for (const unmapped& one :
       {unmapped{left, "ulimit -v"}, unmapped{left_of_data, "ulimit -d"}, unmapped{promised, "vm.overcommit_memory"}}) {
    if (one.bytes < least.bytes) least = one;
  }
  return least;
}

}  // namespace takt::platform
