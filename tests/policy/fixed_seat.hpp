// A policy that only tests use: every task goes to one seat, whoever holds it, and whether or not anybody does.
#pragma once

#include "policy/policy.hpp"

#include <atomic>
#include <cstdint>

namespace takt_test {

/// The seat that tasks go to; the last one if there are fewer. Set before the runtime is made.
inline unsigned target_seat = 0;
/// What has happened, of all runtimes.
struct fixed_seat_counts {
  std::atomic<std::uint64_t> published{0};
  std::atomic<std::uint64_t> by_target{0};  ///< ran where they were sent
  std::atomic<std::uint64_t> by_others{0};
  std::atomic<std::uint64_t> taken_back{0};
};
inline fixed_seat_counts counts;

std::unique_ptr<takt::core::policy> make_fixed_seat(takt::core::runtime& r);

}  // namespace takt_test
