// Comparing floating-point answers whose sums were formed in different orders.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace takt::bench {

// A sum of n terms in any order differs from any other by at most about n * 1.1e-16 of the
// sum of magnitudes. 1e-9 leaves room for ten million terms and is far below what a lost or
// doubled iteration would change.
inline constexpr double k_tolerance = 1e-9;

// `scale` is the sum of the magnitudes of what was added.
inline bool near(double got, double expected, double scale) {
  return std::fabs(got - expected) <= k_tolerance * scale;
}

// For sums of positive terms, where the sum is its own scale.
inline bool all_near(const std::vector<double>& got, const std::vector<double>& expected) {
  if (got.size() != expected.size()) {
    return false;
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!near(got[i], expected[i], std::fabs(expected[i]))) {
      return false;
    }
  }
  return true;
}

}  // namespace takt::bench
