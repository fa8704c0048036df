// Points for the problems: from a file if one is named, otherwise generated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "pbbs/geometry/point_generators.hpp"
#include "pbbs/geometry/read_geometry.hpp"

namespace takt::bench::pbbs {

// The first `size` points of the xyz file of the request, or `generate(size, seed)`. In the
// plane, of a file's points the first two coordinates count.
template <std::size_t D>
std::vector<point<D>> requested_points(const request& wanted, const problem_info& info,
                                       std::vector<point<D>> (*generate)(std::size_t,
                                                                         std::uint64_t),
                                       std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(size_of(wanted, info));
  if (wanted.input.empty()) {
    return generate(size, seed);
  }
  std::vector<point3> read = read_points(wanted.input);
  read.resize(std::min(size, read.size()));
  std::vector<point<D>> points;
  for (const point3& p : read) {
    point<D>& kept = points.emplace_back();
    for (std::size_t axis = 0; axis < D; ++axis) {
      kept[axis] = p[axis];
    }
  }
  return points;
}

}  // namespace takt::bench::pbbs
