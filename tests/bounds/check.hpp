// A run against the bounds on work and span.
#pragma once

#include <takt/config.hpp>

#include "bounds/program.hpp"

#include <cstdint>

namespace takt_bounds {

/// One microsecond, in ticks.
inline constexpr std::uint64_t k_tau = 1000;

/// What a run took, as a part of what it may take: more than 1 breaks the bound.
struct bounds {
  double work;
  double span;
};

/// @param beat_us N, also in multiples of tau.
/// @param late ticks by which a beat may be late, as nothing polls in a leaf (proofs/takt/bounds.v, late_beats)
bounds check(const node& program, std::uint64_t beat_us, std::uint64_t late = 0,
             takt::trigger trigger = takt::trigger::lazy);

}  // namespace takt_bounds
