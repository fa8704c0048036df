// delaunay: the triangles of the Delaunay triangulation of points in the plane.
#pragma once

#include <vector>

#include "pbbs/geometry/delaunay.hpp"
#include "pbbs/geometry/point_inputs.hpp"

namespace takt::bench::pbbs {

constexpr problem_info delaunay_info(std::string_view name, std::string_view about) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "points",
          .size_default = 1'000'000,
          .size_min = 1,
          .size_max = 500'000'000,
          .group = "pbbs",
          .takes_file = true,
          .counts_tasks = true};
}

struct delaunay_problem {
  struct input {
    std::vector<point2> points;
    // The first answer is checked by itself; others only if they are different.
    mutable std::vector<corner_ids> checked = {};
  };
  using answer = std::vector<corner_ids>;

  static void reset(const input& /*in*/, answer& out) { out.clear(); }
  static bool right(const input& in, const answer& got) {
    if (got == in.checked && !got.empty()) {
      return true;
    }
    if (!is_delaunay(in.points, got)) {
      return false;
    }
    in.checked = got;
    return true;
  }
};

struct delaunay_in_square : delaunay_problem {
  static constexpr problem_info info =
      delaunay_info("delaunay_in_square", "triangulation of points in a square");
  static input make(const request& wanted) {
    return {requested_points<2>(wanted, info, points_in_square, 221)};
  }
};

struct delaunay_kuzmin : delaunay_problem {
  static constexpr problem_info info =
      delaunay_info("delaunay_kuzmin", "triangulation of points with a dense middle");
  static input make(const request& wanted) {
    return {requested_points<2>(wanted, info, kuzmin_points, 222)};
  }
};

}  // namespace takt::bench::pbbs
