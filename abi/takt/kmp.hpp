// What belongs to the OpenMP runtime, as Clang lays it out in programs: kmp.h of LLVM has the same structs. Not takt's
// own interface: it does not change with TAKT_ABI_VERSION.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::kmp {

/// A task's record (kmp_task_t). A task that is not of a taskloop has its private variables from `lower` on.
struct task {
  void* shareds;  ///< the addresses of shared variables
  void* routine;
  std::int32_t part;
  std::int32_t (*destructors)(std::int32_t, void*);
  std::uint64_t priority;
  // Of a taskloop, whose private variables follow:
  std::uint64_t lower;
  std::uint64_t upper;  ///< inclusive
  std::int64_t stride;
  std::int32_t last;  ///< 1: the task has the last iteration
  void* reductions;
};
static_assert(offsetof(task, part) == 16 && offsetof(task, destructors) == 24 && offsetof(task, lower) == 40 &&
              offsetof(task, last) == 64 && sizeof(task) == 80);

/// Flags with which a task is made (kmp_tasking_flags).
inline constexpr std::uint64_t k_task_is_final = 2;
inline constexpr std::uint64_t k_task_has_destructors = 8;
inline constexpr std::uint64_t k_task_is_proxy = 16;
inline constexpr std::uint64_t k_task_is_detachable = 64;

/// A variable that a taskgroup reduces (kmp_taskred_input_t).
struct reduced_variable {
  void* address;
  void* original;  ///< what an initializer reads
  std::uint64_t bytes;
  void (*initialise)(void* copy, void* original);
  void (*finalise)(void* copy);
  void (*combine)(void* into, void* from);
  std::uint32_t flags;
};
static_assert(sizeof(reduced_variable) == 56);

/// A list item of a depend clause (kmp_depend_info). OpenMP allows no two that overlap and begin at different
/// addresses.
struct dependence {
  std::uintptr_t address;
  std::uint64_t bytes;
  std::uint8_t kind;
};
static_assert(sizeof(dependence) == 24);
inline constexpr std::uint8_t k_only_read = 1;
inline constexpr std::uint8_t k_all_memory = 0x80;

/// Schedules of worksharing loops (enum sched_type), and the bits of their modifiers.
inline constexpr std::uint64_t k_static_chunked = 33;
inline constexpr std::uint64_t k_static = 34;
inline constexpr std::uint64_t k_first_dynamic = 35;
inline constexpr std::uint64_t k_last_dynamic = 38;  ///< auto
inline constexpr std::uint64_t k_static_balanced_chunked = 45;
inline constexpr std::uint64_t k_runtime_simd = 47;
inline constexpr std::uint64_t k_first_ordered = 65;
inline constexpr std::uint64_t k_last_ordered = 70;
inline constexpr std::uint64_t k_schedule_modifiers = 3ull << 29;  ///< monotonic, nonmonotonic

/// What `cancel` ends (enum kmp_cancel_kind_t).
enum class cancelled : std::int32_t { region = 1, loop = 2, sections = 3, taskgroup = 4 };

}  // namespace takt::kmp
