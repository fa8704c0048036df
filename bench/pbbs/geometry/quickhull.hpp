// Quickhull, in parallel.
#pragma once

#include <cstddef>
#include <vector>

#include "pbbs/geometry/hull.hpp"
#include "pbbs/geometry/serial_primitives.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

// As serial_quickhull, with the farthest point by a reduction, the points outside an edge by a
// filter, and the two sides as a fork. Expected work O(n log h) and span O(log^2 n log h) where
// points are spread evenly; it copies the points that are outside, twice the input at most.
template <class Par>
class quickhull {
 public:
  static std::vector<point2> of(const std::vector<point2>& points) {
    const std::size_t count = points.size();
    if (count == 0) {
      return {};
    }
    const extremes ends = Par::reduce(
        count, extremes{points[0], points[0]},
        [&points](std::size_t i) {
          return extremes{points[i], points[i]};
        },
        [](const extremes& a, const extremes& b) {
          return extremes{std::min(a.low, b.low), std::max(a.high, b.high)};
        });
    if (ends.low == ends.high) {
      return {ends.low};
    }
    const hull_edge below = {ends.low, ends.high};
    const hull_edge above = {ends.high, ends.low};
    array<point2> kept(count);
    array<point2> spare(count);
    const std::size_t under = keep_outside(below, points.data(), count, kept.data());
    const std::size_t over =
        keep_outside(above, points.data(), count, kept.data() + under);
    std::size_t corners_below = 0;
    std::size_t corners_above = 0;
    Par::fork(count, [&] { corners_below = corners(below, kept.data(), under, spare.data()); },
              [&] {
                corners_above =
                    corners(above, kept.data() + under, over, spare.data() + under);
              });
    std::vector<point2> hull(corners_below + corners_above + 2);
    hull[0] = ends.low;
    hull[corners_below + 1] = ends.high;
    copy(kept.data(), corners_below, hull.data() + 1);
    copy(kept.data() + under, corners_above, hull.data() + corners_below + 2);
    return hull;
  }

 private:
  template <class Other>
  friend class quickhull;

  struct extremes {
    point2 low;
    point2 high;
  };

  static std::size_t keep_outside(const hull_edge& edge, const point2* from, std::size_t count,
                                  point2* to) {
    return Par::filter(from, count, to, [edge](const point2& p) { return is_outside(edge, p); });
  }

  static void copy(const point2* from, std::size_t count, point2* to) {
    Par::loop(std::size_t{0}, count, [from, to](std::size_t i) { to[i] = from[i]; });
  }

  // Replaces the first of `count` points, all outside `edge`, by the corners between the ends
  // of the edge, in their order; returns their number.
  static std::size_t corners(const hull_edge& edge, point2* points, std::size_t count,
                             point2* spare) {
    if (count < 2) {
      return count;
    }
    if (is_cut_off<Par>(count)) {
      return quickhull<serial_primitives>::corners(edge, points, count, spare);
    }
    const point2 farthest =
        Par::reduce(
            count, outsider_of(edge, points[0]),
            [edge, points](std::size_t i) { return outsider_of(edge, points[i]); },
            [edge](const outsider& a, const outsider& b) {
              return is_farther(edge, b, a) ? b : a;
            })
            .where;
    const hull_edge first = {edge.from, farthest};
    const hull_edge second = {farthest, edge.to};
    const std::size_t left = keep_outside(first, points, count, spare);
    const std::size_t right = keep_outside(second, points, count, spare + left);
    std::size_t left_corners = 0;
    std::size_t right_corners = 0;
    Par::fork(count, [&] { left_corners = corners(first, spare, left, points); },
              [&] { right_corners = corners(second, spare + left, right, points + left); });
    copy(spare, left_corners, points);
    points[left_corners] = farthest;
    copy(spare + left, right_corners, points + left_corners + 1);
    return left_corners + right_corners + 1;
  }
};

}  // namespace takt::bench::pbbs
