// What compiled code calls for task groups.
#pragma once

#include <takt/abi.hpp>

#include <cstddef>

namespace takt::abi {

/// A child of a group: the task record first, then whatever the template put behind it.
struct group_child {
  slot task;
  // Its neighbours in the list of children that wait.
  group_child* newer = nullptr;
  group_child* older = nullptr;
  void* group = nullptr;
  std::uint64_t sequence = 0;
};

/// Bytes of a child that the library has room for, aligned to cache lines.
inline constexpr std::size_t k_child_room = 3 * k_cache_line;

/// An exception under way from a child to wait(). The library only carries it: program and library need not have the
/// same C++ runtime, nor all files of a program.
struct group_error {
  void* object;  ///< null: none
  /// Gives `object` up, of the code that caught the exception. `rethrow`: throws it, else destroys it.
  void (*end)(void* object, bool rethrow);
};

/// What came of adding a child, which is the caller's unless it was `taken`: `to_run` at once, or the code that adds it
/// is `stopped`.
enum class child_added : std::uint8_t { to_run, taken, stopped };

}  // namespace takt::abi

extern "C" {

/// Marks the slots of groups, as takt_loop_mark.
TAKT_EXPORT void takt_group_mark(takt::abi::slot*);
/// `order`: a takt::group_order. @returns null when there is no memory.
TAKT_EXPORT void* takt_group_new(std::uint32_t order) noexcept __asm__(TAKT_ABI_SYMBOL(group_new));
/// Waits; an exception that nobody asked for is destroyed.
TAKT_EXPORT void takt_group_delete(void* group) noexcept;
/// Room for a child of at most k_child_room bytes, for which there need be no allocation. @returns null without memory.
TAKT_EXPORT void* takt_group_room() noexcept;
TAKT_EXPORT void takt_group_give_room(void* room) noexcept;
/// So many children wait at most.
TAKT_EXPORT void takt_group_bound(void* group, std::uint64_t most) noexcept;
TAKT_EXPORT takt::abi::child_added takt_group_add(void* group, takt::abi::group_child* child);
/// A child threw. Takes over `error`.
TAKT_EXPORT void takt_group_failed(void* group, std::uint64_t sequence, takt::abi::group_error error) noexcept;
/// Waits for all children. @returns the exception of the first child that threw, now the caller's.
TAKT_EXPORT takt::abi::group_error takt_group_wait(void* group);
}
