// Which code is stopped, and what its tasks know of it. See README.md.
#pragma once

#include "worker/worker.hpp"

namespace takt::core {

/// What is to stop of the code that runs on the fiber, which asks itself, and has a scope.
abi::stop_reach stop_in_scope(fiber& f) noexcept;
inline abi::stop_reach stop_of(fiber& f) noexcept {
  return f.stop.innermost == nullptr ? abi::stop_reach::nothing : stop_in_scope(f);
}
/// Whether the code there must not run free, as a scope of that reach, or a wider one, may end it: what runs free polls
/// when a signal comes, which is late, or never with one worker. A group alone does not count.
bool must_poll(const fiber& f, abi::stop_reach reach) noexcept;
/// From here on, on the fiber that runs here; what it has been granted is another's to take back.
void begin_scope(fiber& f, abi::stop_scope& scope) noexcept;
void end_scope(fiber& f) noexcept;
/// The innermost taskgroup of OpenMP around the code that runs there; null: none.
abi::stop_scope* taskgroup_around(const fiber& f) noexcept;
/// From here on everybody sees what was changed in a scope.
void tell_stop() noexcept;
/// The scope is stopped. @returns false if it was.
bool stop_by_itself(abi::stop_scope& scope) noexcept;
bool is_stopped_by_itself(const abi::stop_scope& scope) noexcept;
/// Once all that ran inside is over.
void go_on_again(abi::stop_scope& scope) noexcept;

/// What stops `scope` from outside; null: nothing more. Others may be looking.
void set_outer(abi::stop_scope& scope, abi::stop_scope* outer) noexcept;

/// The scope of the frame `s` that the fiber which runs here has pushed. Async-signal-safe.
inline abi::stop_scope* scope_of(const fiber& f, const abi::slot* s) noexcept {
  abi::stop_scope* scope = f.stop.innermost;
  while (scope != f.stop.inherited && s < scope->first) scope = scope->before;
  return scope;
}

/// With which a task begins, by its join, for who is about to begin it.
inline abi::stop_scope* scope_for_task(const join_word& join) noexcept {
  const join_word::owner by = join.owner_of_task();
  return by.waits != nullptr ? by.waits->stop.innermost : static_cast<abi::stop_scope*>(by.noted);
}

/// Around code on the fiber `here` that is stopped by what stops `outer`, and by nothing else.
class stopped_by {
 public:
  // Not inlined: the thread may change between the two, and with it what is thread-local.
  [[gnu::noinline]] stopped_by(fiber& here, abi::stop_scope& outer) noexcept;
  [[gnu::noinline]] ~stopped_by();
  stopped_by(const stopped_by&) = delete;
  stopped_by& operator=(const stopped_by&) = delete;

 private:
  void forget() noexcept {
    if (!is_inside_) here_.stop.seen = fiber_stop::k_never;
  }

  fiber& here_;
  const bool is_inside_;  ///< what stops the code around stops this, too
  abi::stop_scope scope_;
};

}  // namespace takt::core
