// The kernel of reductions: a stretch of values combined in order.
#pragma once

#include <takt/detail/sequence.hpp>

namespace TAKT_NAMESPACE::detail {

/// A chain of dependent floating-point operations is bound by their latency; integer chains are vectorised by the
/// compiler, and for other types the order of calls is left plain.
template <class T>
inline constexpr bool is_latency_bound = std::is_floating_point_v<T>;

/// Elements in each of the four chains that run side by side.
inline constexpr std::uint64_t k_chain = 128;

/// combine(...combine(sum, map(begin)), ..., map(end - 1)), with parentheses set at will but the order kept.
template <class T, class Map, class Combine>
TAKT_INLINE T fold(T sum, std::uint64_t k, std::uint64_t end, Map& map, Combine& combine) {
  if constexpr (is_latency_bound<T>) {
    for (; end - k >= 4 * k_chain; k += 4 * k_chain) {
      T s0 = map(k);
      T s1 = map(k + k_chain);
      T s2 = map(k + 2 * k_chain);
      T s3 = map(k + 3 * k_chain);
      for (std::uint64_t i = k + 1; i < k + k_chain; ++i) {
        s0 = combine(s0, map(i));
        s1 = combine(s1, map(i + k_chain));
        s2 = combine(s2, map(i + 2 * k_chain));
        s3 = combine(s3, map(i + 3 * k_chain));
      }
      sum = combine(sum, combine(combine(s0, s1), combine(s2, s3)));
    }
  }
  for (; k < end; ++k) sum = combine(std::move(sum), map(k));
  return sum;
}

}  // namespace TAKT_NAMESPACE::detail
