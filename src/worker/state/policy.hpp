// What the policies keep for a worker (src/policy).
#pragma once

#include <cstdint>

namespace takt::core {

class policy;
class worker;

struct worker_policy {
  /// What it had been about to begin, it does not begin now.
  void put_back() noexcept {
    taken_from = nullptr;
    promoted_by = nullptr;
  }
  worker* take_promoter() noexcept { return std::exchange(promoted_by, nullptr); }
  void seed(std::uint64_t odd) noexcept { random = odd; }

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
