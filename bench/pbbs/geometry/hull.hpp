// What the convex hull programs have in common: how far a point is outside an edge.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "pbbs/geometry/point.hpp"
#include "pbbs/geometry/predicates.hpp"

namespace takt::bench::pbbs {

// A directed edge of a hull that is walked counterclockwise: what is right of it is outside.
struct hull_edge {
  point2 from;
  point2 to;
};

// A point and the rounded determinant that says how far outside an edge it is.
struct outsider {
  point2 where;
  double height;
  double magnitude;  // of the two products whose difference the height is
};

inline outsider outsider_of(const hull_edge& edge, const point2& p) {
  const double left = (edge.from.x() - edge.to.x()) * (p.y() - edge.to.y());
  const double right = (edge.from.y() - edge.to.y()) * (p.x() - edge.to.x());
  return {p, left - right, std::fabs(left) + std::fabs(right)};
}

// How wrong a height can be, relative to its magnitude; as in cross_sign.
inline constexpr double k_height_error = (3.0 + 16.0 * k_half_ulp) * k_half_ulp;

inline bool is_outside(const hull_edge& edge, const outsider& p) {
  const double bound = k_height_error * p.magnitude;
  if (std::fabs(p.height) > bound) {
    return p.height > 0;
  }
  return exact_cross_sign(edge.to, edge.from, edge.to, p.where) > 0;
}

inline bool is_outside(const hull_edge& edge, const point2& p) {
  return is_outside(edge, outsider_of(edge, p));
}

// Whether p is farther outside than q; of equals, the lexicographically larger one counts as
// farther, so that the farthest point of a set is always a corner of its hull.
inline bool is_farther(const hull_edge& edge, const outsider& p, const outsider& q) {
  const double difference = p.height - q.height;
  if (std::fabs(difference) > 2 * k_height_error * (p.magnitude + q.magnitude)) {
    return difference > 0;
  }
  const int sign = cross_sign(edge.to, edge.from, q.where, p.where);
  return sign != 0 ? sign > 0 : p.where > q.where;
}

// The corners of the convex hull, counterclockwise from the lexicographically smallest; no
// three of them on one line. Points may be repeated. `points` are reordered.
//
// Quickhull: expected work O(n log h) where points are spread evenly, O(n h) at worst.
std::vector<point2> serial_quickhull(std::vector<point2>& points);

// The same by sorting (Andrew's monotone chain), O(n log n).
std::vector<point2> monotone_chain(std::vector<point2>& points);

// Whether `hull` is the convex hull of `points`, without computing it: every corner is one of
// the points, the corners turn left all the way around once, and no point is outside. Linear
// time and logarithmic for each point.
bool is_convex_hull(std::span<const point2> points, std::span<const point2> hull);

}  // namespace takt::bench::pbbs
