#pragma once

#include "takt_door.h"

#include <stdexcept>

namespace tbb {
inline namespace on_takt {
namespace door {

template <class Range, class Body>
void for_range(Range& range, cuts allowed, const Body& body) {
  const bool is_cut = door::halve(
      range, allowed, [&](Range& lower, cuts left) { door::for_range(lower, left, body); },
      [&](Range& upper, cuts left, bool) { door::for_range(upper, left, body); });
  if (!is_cut) std::invoke(body, range);
}

}  // namespace door

template <class Range, class Body, door::manner... How>
void parallel_for(const Range& range, const Body& body, How&&... how) {
  if (range.empty()) return;
  Range all(range);
  door::run_as([&] { door::for_range(all, door::cuts_as<auto_partitioner>(how...), body); }, how...);
}

/// Single iterations: takt cuts such a loop of integers by itself, whatever the partitioner.
template <class Index, class F, door::manner... How>
  requires std::invocable<const F&, Index>
void parallel_for(Index first, Index last, Index step, const F& f, How&&... how) {
  if (step <= 0) throw std::invalid_argument("Step must be positive");
  if (!(first < last)) return;
  door::run_as(
      [&] {
        if constexpr (takt::index<Index>) {
          takt::parallel_for(first, last, step, f);
        } else {
          blocked_range<Index> all(static_cast<Index>(0), Index(last - first - 1ul) / step + Index(1));
          door::for_range(all, door::cuts_as<auto_partitioner>(how...), [&](const blocked_range<Index>& range) {
            Index at = first + range.begin() * step;
            for (Index i = range.begin(); i < range.end(); ++i, at = at + step) std::invoke(f, at);
          });
        }
      },
      how...);
}
template <class Index, class F, door::manner... How>
  requires(std::invocable<const F&, Index> && !door::manner<F>)
void parallel_for(Index first, Index last, const F& f, How&&... how) {
  tbb::parallel_for(first, last, static_cast<Index>(1), f, how...);
}

}  // namespace on_takt
}  // namespace tbb
