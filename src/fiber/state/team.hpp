// What a fiber is for teams (src/team).
#pragma once

namespace takt::abi {
struct team_member;
}

namespace takt::core {

struct fiber_team {
  abi::team_member* member = nullptr;  ///< which it runs as, and stays on that one's thread; or null
};

}  // namespace takt::core
