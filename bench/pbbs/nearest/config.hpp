// nearest: the k nearest neighbours of every point, nearest first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pbbs/geometry/kd_tree.hpp"
#include "pbbs/geometry/point_inputs.hpp"

namespace takt::bench::pbbs {

constexpr problem_info nearest_info(std::string_view name, std::string_view about,
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

template <std::size_t D, std::size_t K>
struct nearest_problem {
  static constexpr std::size_t k_neighbours = K;

  struct input {
    std::vector<point<D>> points;
    // Some of the first answer is checked against all points, the others against the serial one.
    mutable bool is_checked = false;
  };
  using answer = std::vector<std::array<std::uint32_t, K>>;

  static void reset(const input& in, answer& out) { out.assign(in.points.size(), {}); }
  static bool same(const input& in, const answer& got, const answer& expected) {
    constexpr std::size_t k_some = 100;
    in.is_checked = in.is_checked || are_nearest<K>(in.points, got, k_some);
    return in.is_checked && are_same_neighbours<K>(in.points, got, expected);
  }
};

struct nearest_kuzmin : nearest_problem<2, 1> {
  static constexpr problem_info info =
      nearest_info("nearest_kuzmin", "nearest neighbour, points with a dense middle", 1'000'000);
  static input make(const request& wanted) {
    return {requested_points<2>(wanted, info, kuzmin_points, 211)};
  }
};

struct nearest_plummer : nearest_problem<3, 10> {
  static constexpr problem_info info = nearest_info(
      "nearest_plummer", "ten nearest, points in space with a dense middle", 500'000);
  static input make(const request& wanted) {
    return {requested_points<3>(wanted, info, plummer_points, 212)};
  }
};

}  // namespace takt::bench::pbbs
