// Joins: take the task back, or leave the stack until it is done. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

/// A join that children may be added to while it is waited for: a group's. The children count in `word`.
struct open_join {
  join_word word;
  /// The fiber whose children stay latent until its wait; null: outside any parallel call. A hint for others: it may
  /// change while they look, and its fiber may have gone on to other work.
  sync::atomic<fiber*> home{nullptr};

  /// In force for its children. What is around it is what is around the code that waits (src/stop).
  abi::stop_scope stop{.of_group = true};

  /// Runs a child on this stack, and what belongs to it.
  void (*run)(open_join&, abi::slot*) = nullptr;

  static open_join& of(join_word& word) noexcept { return reinterpret_cast<open_join&>(word); }
};

/// Stands on the stack of who runs a child of `whole` away from its home, and keeps what that adds.
struct helper {
  open_join* whole = nullptr;
  helper* outer = nullptr;  ///< the one around it on the same fiber
};

/// Whether `join` is complete, or is before there is anything else to do and before a task would be worth taking: then
/// its code goes on here. Otherwise this worker may be left looking, as one does that has left its stack. Owner only.
bool is_over_soon(join_word& join) noexcept;
/// The same for what `is_over(argument)` says, which spins for a moment: as long as a worker that finds no work stays
/// awake, or `k_brief_wait` where the last wait of a member was shorter than that.
bool is_over_before_sleep(bool (*is_over)(void*), void* argument) noexcept;
/// Leaves the stack until `join` is complete. Owner only, nothing of it left that could be taken back.
/// `held`: where those who hand the join's children to everybody find the worker, if its thread is held.
void wait_for(join_word& join, sync::atomic<worker*>* held = nullptr) noexcept;
/// The same for what is no child's end.
void wait_for_event(join_word& join) noexcept;
/// The same without a look at whether the code may leave the thread that it is on, which `w` is: must_stay has said so.
void leave_for(worker& w, join_word& join) noexcept;
/// Whether the code on `f`, which runs here, must go on on this thread: it has said so, or there are frames of another
/// runtime on its stack, which keeps something of the thread.
bool must_stay(worker& w, const fiber& f) noexcept;
/// For `finisher`, whose child of the join was the last: the fiber that it, or somebody, is to resume. Null: the thread
/// that is held goes on with it.
fiber* resume(fiber* waiting, worker& finisher) noexcept;
/// The same on a thread that need be no worker.
fiber* resume(fiber* waiting, runtime& r) noexcept;
/// Runs a child on this stack, and what it has added to its group and nobody has taken. It is a task of its own also
/// on top of another: it starts with the floating-point environment of the code that added it, and what it changes
/// stays in it.
void run_child(abi::slot* task) noexcept;
/// For who waits for `join`, a group's: runs the newest of its children that nobody has taken. @returns false if there is
/// none.
bool run_own_child(const join_word& join) noexcept;
/// One more child of `join` is done, which another fiber may wait for.
void finish_for_another(join_word& join) noexcept;
/// Runs one of the tasks that count in `join` and lie with everybody, on a thread that need not be a worker.
/// @returns false if there is none.
bool run_injected(runtime& r, join_word& join) noexcept;

}  // namespace takt::core
