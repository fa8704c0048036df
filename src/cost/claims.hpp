// How many iterations a loop that nests claims at a time. Those claimed one by one can all be promoted from inside, and
// cost most; of 256 all but the first are out of reach.
//
//   1 each          for the first ones, and after a poll fell into short claims
//   remembered      then: as many as the loop of this site before it, or 2
//   doubled         while no poll falls into them; from 16 on only while they are measured to be short, up to 256
//   a quarter       once a poll falls into them
#pragma once

#include "cost/numbers.hpp"

#include <takt/abi.hpp>

#include <algorithm>
#include <cstdint>

namespace takt::cost {

/// What is claimed at a time, and up to where that grows.
struct claims {
  std::uint64_t chunk;
  std::uint64_t most;
};
inline constexpr std::uint64_t k_not_measured = ~0ull;
inline constexpr claims k_first_claims{1, k_not_measured};

/// A poll fell into them that was not the loop's own.
inline claims claims_after_poll(std::uint64_t chunk) noexcept {
  return {std::max<std::uint64_t>(chunk / 4, 1), k_not_measured};
}

/// `ran` iterations took `ticks`. What is long enough grows no more, so that nobody need look at the clock: a look
/// waits for all that the thread has under way.
inline claims measured_claims(std::uint64_t chunk, std::uint64_t ran, std::uint64_t ticks,
                              std::uint64_t poll_ticks) noexcept {
  const std::uint64_t claim_ticks = ticks / ran * chunk;
  if (claim_ticks < poll_ticks && chunk < k_most_claimed) return {std::min(2 * chunk, k_most_claimed), k_most_claimed};
  if (claim_ticks > 2 * poll_ticks) chunk = std::max<std::uint64_t>(chunk / 2, 1);
  return {chunk, chunk};
}

/// What the last loops of some sites came to, so that one of a few hundred iterations is not over before its claims
/// have grown. One place serves several sites: what another one has left there is forgotten. `polls`: of the worker, so
/// far.
class remembered_claims {
 public:
  void remember(const abi::site* where, std::uint64_t chunk, std::uint64_t polls) noexcept {
    place_of(where) = {where, chunk, polls};
  }
  /// For a loop whose first iterations are over: a quarter of what was for each poll since.
  claims after_first(const abi::site* where, std::uint64_t polls) noexcept {
    const place& last = place_of(where);
    const std::uint64_t since = polls - last.polls;
    if (last.where != where || since > 2 || last.chunk >> 2 * since <= k_grown) return {k_grown, k_not_measured};
    // What was measured since the last poll need not be measured again.
    return {last.chunk >> 2 * since, since == 0 ? last.chunk : k_not_measured};
  }

 private:
  static constexpr std::uint64_t k_grown = 2 * k_first_claims.chunk;
  struct place {
    const abi::site* where = nullptr;
    std::uint64_t chunk = 0;
    std::uint64_t polls = 0;
  };
  place& place_of(const abi::site* where) noexcept {
    return places_[reinterpret_cast<std::uintptr_t>(where) / sizeof(abi::site) % k_remembered];
  }
  place places_[k_remembered];
};

}  // namespace takt::cost
