// convexhull: the corners of the convex hull of points in the plane, counterclockwise from the
// lexicographically smallest one, without those that are in the middle of an edge.
#pragma once

#include <vector>

#include "pbbs/geometry/hull.hpp"
#include "pbbs/geometry/point_inputs.hpp"

namespace takt::bench::pbbs {

constexpr problem_info convexhull_info(std::string_view name, std::string_view about,
                                       std::int64_t size) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "points",
          .size_default = size,
          .size_min = 1,
          .size_max = 1'000'000'000,
          .group = "pbbs",
          .takes_file = true,
          .counts_tasks = true};
}

struct convexhull_problem {
  struct input {
    std::vector<point2> points;
    // The first answer is checked against the points, the others against the serial one.
    mutable bool is_checked = false;
  };
  struct answer {
    // A copy that may be reordered, which the serial programs do.
    std::vector<point2> points;
    std::vector<point2> corners;
  };

  static void reset(const input& in, answer& out) {
    out.points = in.points;
    out.corners.clear();
  }
  static bool same(const input& in, const answer& got, const answer& expected) {
    if (got.corners != expected.corners) {
      return false;
    }
    in.is_checked = in.is_checked || is_convex_hull(in.points, got.corners);
    return in.is_checked;
  }
};

struct convexhull_in_circle : convexhull_problem {
  static constexpr problem_info info =
      convexhull_info("convexhull_in_circle", "hull of points in a circle", 10'000'000);
  static input make(const request& wanted) {
    return {requested_points<2>(wanted, info, points_in_circle, 201)};
  }
};

struct convexhull_kuzmin : convexhull_problem {
  static constexpr problem_info info =
      convexhull_info("convexhull_kuzmin", "hull of points with a dense middle", 20'000'000);
  static input make(const request& wanted) {
    return {requested_points<2>(wanted, info, kuzmin_points, 202)};
  }
};

struct convexhull_on_circle : convexhull_problem {
  static constexpr problem_info info =
      convexhull_info("convexhull_on_circle", "hull of points on a circle", 2'000'000);
  static input make(const request& wanted) {
    return {requested_points<2>(wanted, info, points_on_circle, 203)};
  }
};

}  // namespace takt::bench::pbbs
