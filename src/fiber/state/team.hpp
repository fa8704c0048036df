// What a fiber is for teams (src/team).
#pragma once

#include <utility>

namespace takt::abi {
struct event;
struct team_member;
}

namespace takt::core {

struct fiber_team {
  /// Null: it is none.
  abi::team_member* as_member() const noexcept { return member; }
  void keep(void* its_state, void (*its_end)(void*)) noexcept {
    state = its_state;
    end_state = its_end;
  }
  /// Its code is done.
  void end() noexcept {
    void* const ended = std::exchange(state, nullptr);
    if (ended != nullptr && end_state != nullptr) end_state(ended);
  }

  abi::team_member* member = nullptr;  ///< which it runs as, and stays on that one's thread; or null
  abi::event* relief = nullptr;        ///< what a thread waits for that has taken it over; or null
  void* state = nullptr;               ///< takt_team_keep; or null
  void (*end_state)(void*) = nullptr;  ///< null: the state is not its own
};

}  // namespace takt::core
