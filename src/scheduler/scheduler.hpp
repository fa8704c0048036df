// What a worker does all day, threads that come from outside, and the life of a runtime. See README.md.
#pragma once

#include "worker/runtime.hpp"

namespace takt::core {

// --- work.cpp
/// The loop of a pool thread (root null, until shutdown) or of an adopter (until its root is done).
void work(worker& w, root_call* root) noexcept;
/// Runs `f` on this thread until it is done or waits.
void run_fiber(worker& w, fiber* f) noexcept;
/// The code of the fiber that runs here is done, and nobody knows of it yet.
void end_code(fiber& f) noexcept;
/// Gives w's seat up, if it has one. Nothing is left in it that others could not find.
void leave_seat(worker& w) noexcept;

// --- aside.cpp
/// While it lives the code on this fiber runs nothing of takt's, and its thread may be blocked: others have its seat, and
/// what was latent here (README.md, "Seats that change hands"). Begins and ends outside of runtime scopes.
class seat_given_away {
 public:
  explicit seat_given_away(worker& w) noexcept;
  ~seat_given_away();
  seat_given_away(const seat_given_away&) = delete;
  seat_given_away& operator=(const seat_given_away&) = delete;

 private:
  const bool gives_;
  std::uint64_t begun_ = 0;
  std::uint64_t resumed_at_ = 0;
};

// --- adoption.cpp
/// Runs fn(argument) as the outermost call of this thread. @returns false, and fn has not been called, without memory.
bool enter(void (*fn)(void*), void* argument);

// --- memory.cpp
/// Once in a process, before there is a call: if something watches its allocations (src/memory/watched.hpp), it is told
/// where to report them.
void tell_watcher() noexcept;
/// `w` leaves: what it has gathered is told.
void tell_rest(worker& w) noexcept;

// --- life.cpp
/// The runtime in force, made from the environment by the first call, with the caller counted as a call under way until
/// process::end_call(). Null, and not counted, when memory is short.
runtime* enter_call() noexcept;
/// Whether a first call need not try to make one: it has failed a moment ago.
bool is_start_put_off() noexcept;
/// Ends the one in force and starts anew. @returns false, and nothing has happened, while a call is under way.
bool replace_runtime(const config& settings);

}  // namespace takt::core
