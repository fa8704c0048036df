// What the policies keep for a worker (src/policy).
#pragma once

#include <cstdint>

namespace takt::core {

class policy;
class worker;

struct worker_policy {
  policy* served_by = nullptr;    ///< whose task it had last
  policy* taken_from = nullptr;   ///< whose task it is about to begin; null: handed to everybody
  worker* promoted_by = nullptr;  ///< who has promoted that; null: nobody here
  std::uint64_t random = 0;
  /// Xorshift: victims need to be spread, not to be unpredictable.
  std::uint64_t next_random() noexcept {
    random ^= random << 13;
    random ^= random >> 7;
    return random ^= random << 17;
  }
};

}  // namespace takt::core
