// A group, and the parts of it that fibers run. See README.md beside this file.
#pragma once

#include <takt/task_group.hpp>

#include "join/added_list.hpp"
#include "join/child_list.hpp"
#include "join/join.hpp"
#include "promotion/promote.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

namespace takt::core {

struct group_state;

/// What one fiber runs of a group: what is latent when it waits, or a helper's, which stands on its stack (README.md).
struct group_part : latent_children, helper {
  bool take(bool in_signal_handler, bool half, abi::slot*& task, abi::hints& said) noexcept override;
  void destroy() noexcept override {}
  void is_lent_no_more() noexcept override {}

  group_state& all() noexcept;
  /// The fiber that runs here has the list to itself.
  bool is_run_by(const fiber& here) const noexcept { return run_by.load(sync::relaxed) == &here; }
  /// And promotion finds it by its slot there. It passes one whose list is empty.
  bool is_found(const fiber& here) const noexcept {
    return is_run_by(here) && slot != nullptr && !takt::detail::is_promoted(slot);
  }

  /// The oldest of `from`, which is this one's or the group's, for promotion; or null.
  abi::slot* give(child_list& from, bool half, abi::hints& said) noexcept;

  // Whose `list` is. Others compare with themselves.
  sync::atomic<fiber*> run_by{nullptr};
  child_list list;
  // Of it or of the group's: something has been promoted since it was last waited for.
  sync::tally<std::uint32_t> has_given{0};
  // The innermost one that names it, on the latent stack of the one who runs it; or null.
  abi::slot* slot = nullptr;

 protected:
  ~group_part() = default;
};

/// A group.
struct group_state final : open_join, group_part {
  group_state() noexcept { whole = this; }
  bool take(bool in_signal_handler, bool half, abi::slot*& task, abi::hints& said) noexcept override;
  void destroy() noexcept override { delete this; }
  void is_lent_no_more() noexcept override;

  static void* operator new(std::size_t, const std::nothrow_t&) noexcept;
  static void operator delete(void* group) noexcept;
  static void operator delete(void* group, const std::nothrow_t&) noexcept { operator delete(group); }

  bool anything_shared() const noexcept { return added.size() + shared.size() != 0; }

  // Who made it, if that was in a call.
  fiber* maker = nullptr;
  group_order order = group_order::newest_first;
  // So many wait at most.
  std::size_t most = ~std::size_t{0};
  // The first child that throws stops the others.
  bool stops_on_exception = false;
  // What is said of it, negative: nothing, and bytes, 0: nothing.
  double work = -1;
  std::uint64_t bytes = 0;
  // The scope of its call, or 0.
  sync::atomic<std::uint32_t> scope{0};

  // The worker that waits in place for the children, if its code must stay on its thread.
  sync::atomic<worker*> held{nullptr};

  // How many have been added, each counted by one side (README.md, "Errors").
  sync::atomic<std::uint64_t> added_by_maker{0};
  sync::atomic<std::uint64_t> added_by_others{0};

  // Latent children that nobody has in a list of his own: the maker's, and those that the lock keeps. It is never held
  // while user code runs, and on a fiber only in a runtime scope: the handler may ask for it.
  added_list<group_child, child_links> added;
  spin_lock lock;
  child_list shared;

  // The rest under the lock.
  // Filled by a thread in no call: workers that have nothing to do find it (src/promotion/lent.hpp).
  sync::atomic<std::uint32_t> lends{0};  // by who puts it there; before that it is not there
  bool is_lent = false;                  // and its shared children are counted
  bool is_lost = false;                  // in a child of fork(2)
  sync::tally<std::uint64_t> lent_at{0};  // 0: nobody has put it there since it was waited for. A hint
  std::uint64_t error_sequence = ~0ull;
  abi::group_error error{};
  sync::tally<std::uint32_t> has_failed{0};
};

inline group_state& group_part::all() noexcept { return static_cast<group_state&>(*whole); }

}  // namespace takt::core
