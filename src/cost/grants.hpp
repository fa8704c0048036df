// What may run free: which short loops are not charged, up to how many iterations, for how long.
#pragma once

#include "cost/numbers.hpp"
#include "cost/site_cost.hpp"

#include <cstddef>
#include <cstdint>

namespace takt::cost {

/// Leaf loops of fewer iterations, each `unit_cost`, are free.
inline std::uint64_t leaf_is_free_below(std::uint32_t unit_cost, std::uint64_t poll_ticks) noexcept {
  return iterations_in(poll_ticks / k_free_share, unit_cost);
}

/// The same for loops in the middle of a nest, one of which took `ticks` for `count` iterations with all that is
/// inside; 0 for none.
inline std::uint64_t nest_is_free_below(std::uint64_t count, std::uint64_t ticks, std::uint64_t poll_ticks) noexcept {
  if (ticks == 0 || ticks >= poll_ticks) return 0;
  return std::min(poll_ticks / ticks, k_most_grown) * count + 1;
}

/// The sites that one worker lets run free. It takes all of them back before it leaves the computation that runs.
class grants {
 public:
  struct grant {
    abi::site* where;
    const void* loaded_as;  ///< what the site's address belonged to then
    std::uint64_t below;
  };

  /// What comes beyond is charged.
  static constexpr std::size_t k_most = 32;

  bool any() const noexcept { return count_ != 0; }
  bool full() const noexcept { return count_ == k_most; }
  /// Whether it is time to take them back.
  bool over(std::uint64_t now) const noexcept { return any() && now >= until_; }
  /// Not when full. They last k_learned_polls times `poll_ticks` from the first one on, which is given at `now`.
  void add(const grant& given, std::uint64_t now, std::uint64_t poll_ticks) noexcept {
    if (count_ == 0) until_ = now + k_learned_polls * poll_ticks;
    all_[count_++] = given;
  }
  /// The one of this site, or null.
  grant* of(const abi::site& s) noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (all_[i].where == &s) return &all_[i];
    }
    return nullptr;
  }
  /// The last one; not when there is none.
  const grant& take() noexcept { return all_[--count_]; }

 private:
  std::uint64_t until_ = 0;
  std::size_t count_ = 0;
  grant all_[k_most] = {};
};

}  // namespace takt::cost
