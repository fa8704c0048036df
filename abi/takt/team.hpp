// Teams: members that run beside each other on stacks of their own, and wait for each other. For runtimes of other
// models that are built on takt (omp-runtime/): their threads are members. See src/team/README.md.
#pragma once

#include <takt/abi.hpp>

namespace takt::abi {

/// Something that code waits for, once; or the end of members. The caller's memory.
struct event {
  alignas(8) std::byte word[16];
};

/// Where a team was made: what its members begin with.
struct team_origin {
  std::uint32_t scope;
  std::uint32_t depth;
  std::uint32_t floating_point;
};

/// The caller's memory, until the function has returned and the team is joined; without `end`, until the function
/// returns.
struct team_member {
  void (*run)(void* argument);
  void* argument;
  void* state;           ///< what takt_team_state() is for it
  std::uint32_t thread;  ///< where it runs: below takt_team_threads(); or k_any_thread
  team_origin origin;
  event* end;        ///< that counts it; or null
  void* fiber;       ///< its stack
  void* counted;     ///< the thread that it began on
  void* on;          ///< the thread that it stays on; null: it has not begun
  void* outer;       ///< the member that the code was before
};
inline constexpr std::uint32_t k_any_thread = ~0u;

}  // namespace takt::abi

extern "C" {
/// The state of the member that the calling code is; of other code inside a call what it keeps; or null.
TAKT_EXPORT void* takt_team_state(void) noexcept;
/// For code inside a call that has no state: from here on it has this one, until it is done and `end(state)` is called.
TAKT_EXPORT void takt_team_keep(void* state, void (*end)(void* state)) noexcept;
/// From here on each call begins with the state that this says the calling thread has; tasks of it begin without.
TAKT_EXPORT void takt_team_follow(void* (*state)(void)) noexcept;
/// Whether the calling code is inside a call, and on a stack that it can leave.
TAKT_EXPORT bool takt_team_is_inside(void) noexcept;
/// The workers that there are, the caller included: what a team can have beside each other.
TAKT_EXPORT std::uint32_t takt_team_workers(void) noexcept;
/// Inside a call. Threads that the members of a team can have, of `wanted`: the calling one, 0, and takt's own, which
/// have the same numbers each time.
TAKT_EXPORT std::uint32_t takt_team_threads(std::uint32_t wanted) noexcept;
/// From here on the calling code is that member, and stays on this thread; until takt_team_leave. @returns false, and
/// nothing has happened, outside of calls.
TAKT_EXPORT bool takt_team_enter(takt::abi::team_member* self) noexcept;
TAKT_EXPORT void takt_team_leave(takt::abi::team_member* self) noexcept;
/// A stack for it. @returns false without memory.
TAKT_EXPORT bool takt_team_take(takt::abi::team_member* member) noexcept;
/// `end` is to count so many members.
TAKT_EXPORT void takt_team_begin(takt::abi::event* end, std::uint32_t count) noexcept;
/// One of them, which has a stack, begins. Without `end` it has a thread of takt's own, and nobody waits for it.
TAKT_EXPORT void takt_team_start(takt::abi::event* end, takt::abi::team_member* member) noexcept;
/// What members that the calling code starts begin with.
TAKT_EXPORT void takt_team_origin(takt::abi::team_origin* out) noexcept;
/// The calling code has nothing to do. It waits on its stack until `is_over(argument)`, asked again and again, as long as
/// an idle worker stays awake, longer if that has lately not been enough, and only while nobody wants the thread.
/// @returns whether it is over.
TAKT_EXPORT bool takt_team_linger(bool (*is_over)(void*), void* argument) noexcept;
/// It goes on as a member of another team, as one that has just begun.
TAKT_EXPORT void takt_team_again(takt::abi::team_member* self, const takt::abi::team_origin* from) noexcept;
/// Waits until all members are done.
TAKT_EXPORT void takt_team_join(takt::abi::event* end) noexcept;
/// How many members are ready to run, while their threads have gone on with none since the last call: they may run code
/// that waits for those. One thread at a time asks.
TAKT_EXPORT std::uint32_t takt_team_look_for_stuck(void) noexcept;
/// Inside a call of a thread that does nothing else: runs one of those until it ends. @returns false if there is none.
TAKT_EXPORT bool takt_team_relieve(void) noexcept;
/// Those go first that wait for the calling thread, or for any.
TAKT_EXPORT void takt_team_yield(void) noexcept;

/// Before anybody may end it.
TAKT_EXPORT void takt_event_begin(takt::abi::event* what) noexcept;
/// Inside a call: leaves the stack until somebody has ended it.
TAKT_EXPORT void takt_event_wait(takt::abi::event* what) noexcept;
/// Once, on any thread.
TAKT_EXPORT void takt_event_end(takt::abi::event* what) noexcept;
}
