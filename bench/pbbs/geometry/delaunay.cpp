#include "pbbs/geometry/delaunay.hpp"

#include <tuple>

#include "pbbs/geometry/hull.hpp"

namespace takt::bench::pbbs {
namespace {

// A side of a triangle, with the corner across from it.
struct side {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t opposite;
};

bool operator<(const side& a, const side& b) {
  return std::tie(a.from, a.to) < std::tie(b.from, b.to);
}

// Whether the sides, which have no triangle to their right, go once around a convex polygon.
bool is_convex_ring(std::span<const point2> points, std::span<const side> sides) {
  // One at most leaves each corner.
  std::vector<side> by_start(sides.begin(), sides.end());
  std::sort(by_start.begin(), by_start.end());
  const auto leaving = [&by_start](std::uint32_t corner) {
    return std::lower_bound(by_start.begin(), by_start.end(), side{corner, 0, 0});
  };
  const auto first = std::min_element(
      by_start.begin(), by_start.end(),
      [&](const side& a, const side& b) { return points[a.from] < points[b.from]; });
  std::size_t length = 0;
  bool going_up = true;
  side now = *first;
  do {
    const auto next = leaving(now.to);
    if (next == by_start.end() || next->from != now.to || ++length > sides.size() ||
        orientation(points[now.from], points[now.to], points[next->to]) < 0) {
      return false;
    }
    const bool goes_up = points[now.from] < points[now.to];
    if (goes_up && !going_up) {
      return false;
    }
    going_up = goes_up;
    now = *next;
  } while (now.from != first->from);
  return length == sides.size();
}

bool are_on_one_line(std::span<const point2> points) {
  for (const point2& p : points) {
    if (p != points[0]) {
      return std::all_of(points.begin(), points.end(),
                         [&](const point2& q) { return orientation(points[0], p, q) == 0; });
    }
  }
  return true;
}

}  // namespace

bool is_delaunay(std::span<const point2> points, std::span<const corner_ids> triangles) {
  if (triangles.empty()) {
    return are_on_one_line(points);
  }
  std::vector<side> sides;
  sides.reserve(3 * triangles.size());
  std::vector<bool> is_corner(points.size());
  for (const corner_ids& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (t[i] >= points.size()) {
        return false;
      }
      is_corner[t[i]] = true;
      sides.push_back({t[i], t[(i + 1) % 3], t[(i + 2) % 3]});
    }
    if (orientation(points[t[0]], points[t[1]], points[t[2]]) <= 0) {
      return false;
    }
  }
  std::sort(sides.begin(), sides.end());
  std::vector<side> outer;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const side& one = sides[i];
    if (i > 0 && !(sides[i - 1] < one)) {
      return false;
    }
    const auto other = std::lower_bound(sides.begin(), sides.end(), side{one.to, one.from, 0});
    if (other == sides.end() || other->from != one.to || other->to != one.from) {
      outer.push_back(one);
    } else if (in_circle(points[one.from], points[one.to], points[one.opposite],
                         points[other->opposite]) > 0) {
      return false;
    }
  }
  if (!is_convex_ring(points, outer)) {
    return false;
  }
  std::vector<point2> corners;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_corner[i]) {
      corners.push_back(points[i]);
    }
  }
  if (triangles.size() + 2 + outer.size() != 2 * corners.size()) {
    return false;
  }
  // The corners are the points, each once.
  std::sort(corners.begin(), corners.end());
  if (std::adjacent_find(corners.begin(), corners.end()) != corners.end()) {
    return false;
  }
  return std::all_of(points.begin(), points.end(), [&](const point2& p) {
    return std::binary_search(corners.begin(), corners.end(), p);
  });
}

}  // namespace takt::bench::pbbs
