// raycast: the first triangle of a mesh that each of many rays meets; the search tree is part of
// what is measured.
#pragma once

#include <utility>
#include <vector>

#include "pbbs/geometry/bvh.hpp"
#include "pbbs/geometry/point_generators.hpp"
#include "pbbs/geometry/read_geometry.hpp"
#include "harness/problem.hpp"

namespace takt::bench::pbbs {

// As many rays as triangles; with a file, the size is the number of rays.
constexpr problem_info raycast_info(std::string_view name, std::string_view about,
                                    std::int64_t size) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "rays",
          .size_default = size,
          .size_min = 1,
          .size_max = 500'000'000,
          .group = "pbbs",
          .takes_file = true,
          .counts_tasks = true};
}

struct raycast_problem {
  struct input {
    triangle_mesh mesh;
    std::vector<ray> rays;
    // Some of the first answer is checked against all triangles, the others against the serial
    // one.
    mutable bool is_checked = false;
  };
  using answer = std::vector<hit>;

  static void reset(const input& in, answer& out) { out.assign(in.rays.size(), hit{-1, 0}); }
  static bool same(const input& in, const answer& got, const answer& expected) {
    if (got != expected) {
      return false;
    }
    constexpr std::size_t k_some = 20;
    in.is_checked = in.is_checked || are_first_hits(in.mesh, in.rays, got, k_some);
    return in.is_checked;
  }

  template <class Generate>
  static input make_from(const request& wanted, const problem_info& info,
                         const Generate& generate) {
    const auto size = static_cast<std::size_t>(size_of(wanted, info));
    input in;
    in.mesh = wanted.input.empty() ? generate(size) : read_mesh(wanted.input);
    in.rays = rays_through(in.mesh, size, 231);
    return in;
  }
};

struct raycast_sphere : raycast_problem {
  static constexpr problem_info info =
      raycast_info("raycast_sphere", "rays at a dented sphere", 500'000);
  static input make(const request& wanted) {
    return make_from(wanted, info, [](std::size_t n) { return dented_sphere(n, 232); });
  }
};

struct raycast_soup : raycast_problem {
  static constexpr problem_info info =
      raycast_info("raycast_soup", "rays at triangles of very different sizes", 50'000);
  static input make(const request& wanted) {
    return make_from(wanted, info, [](std::size_t n) { return triangle_soup(n, 233); });
  }
};

}  // namespace takt::bench::pbbs
