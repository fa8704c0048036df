// What a fiber is for teams (src/team).
#pragma once

namespace takt::abi {
struct event;
struct team_member;
}

namespace takt::core {

struct fiber_team {
  /// Null: it is none.
  abi::team_member* as_member() const noexcept { return member; }

  abi::team_member* member = nullptr;  ///< which it runs as, and stays on that one's thread; or null
  abi::event* relief = nullptr;        ///< what a thread waits for that has taken it over; or null
};

}  // namespace takt::core
