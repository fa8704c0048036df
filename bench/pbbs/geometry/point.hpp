// Points of the plane and of space, and boxes around them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace takt::bench::pbbs {

template <std::size_t D>
struct point {
  std::array<double, D> at;

  double operator[](std::size_t axis) const { return at[axis]; }
  double& operator[](std::size_t axis) { return at[axis]; }
  double x() const { return at[0]; }
  double y() const { return at[1]; }
  // Lexicographic: by x, then by y.
  auto operator<=>(const point&) const = default;
};

using point2 = point<2>;
using point3 = point<3>;

template <std::size_t D>
double squared_distance(const point<D>& a, const point<D>& b) {
  double sum = 0;
  for (std::size_t axis = 0; axis < D; ++axis) {
    const double difference = a[axis] - b[axis];
    sum += difference * difference;
  }
  return sum;
}

// An axis-parallel box; it starts out empty.
template <std::size_t D>
struct box {
  point<D> low = filled(std::numeric_limits<double>::infinity());
  point<D> high = filled(-std::numeric_limits<double>::infinity());

  static point<D> filled(double value) {
    point<D> p;
    p.at.fill(value);
    return p;
  }
  void include(const point<D>& p) {
    for (std::size_t axis = 0; axis < D; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  void include(const box& other) {
    for (std::size_t axis = 0; axis < D; ++axis) {
      low[axis] = std::min(low[axis], other.low[axis]);
      high[axis] = std::max(high[axis], other.high[axis]);
    }
  }
  double extent(std::size_t axis) const { return high[axis] - low[axis]; }
  std::size_t longest_axis() const {
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < D; ++axis) {
      longest = extent(axis) > extent(longest) ? axis : longest;
    }
    return longest;
  }
};

}  // namespace takt::bench::pbbs
