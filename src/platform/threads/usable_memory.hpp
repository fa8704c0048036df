// How much memory this process may use.
#pragma once

#include <cstdint>
#include <string>

namespace takt::platform {

struct memory_limit {
  std::uint64_t bytes = 0;
  std::string from;  ///< what says so: a file, "RLIMIT_AS", "RLIMIT_DATA", or "physical memory"
};

/// The tightest of what is in the machine, the limits of the process (RLIMIT_AS, RLIMIT_DATA), and those of its cgroup
/// and of all its ancestors (memory.max in v2, memory.limit_in_bytes in v1). Takes a few file reads. `root` is put
/// before every path that is read: for tests.
/// @throws std::bad_alloc
memory_limit usable_memory(const std::string& root = "");

struct unmapped {
  std::uint64_t bytes;
  const char* from;  ///< what leaves no more: "ulimit -v", "ulimit -d", "vm.overcommit_memory"; null: nothing does
};

/// The least of what RLIMIT_AS and RLIMIT_DATA leave beside what is mapped now, half of them where nobody says what
/// that is, and what the system leaves where it does not overcommit and says how much; stacks::k_no_limit where none
/// of these is. Allocates nothing. `root` as above.
unmapped unmapped_space(const char* root = "") noexcept;

}  // namespace takt::platform
