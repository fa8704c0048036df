#include "pbbs/geometry/hull.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace takt::bench::pbbs {
namespace {

// The corners between the ends of `edge`, of points that are all outside it.
class serial_hull {
 public:
  explicit serial_hull(std::vector<point2>& corners) : corners_(corners) {}

  // `farthest` is one of [begin, end).
  void add(const hull_edge& edge, point2* begin, point2* end, const point2& farthest) {
    const hull_edge first = {edge.from, farthest};
    const hull_edge second = {farthest, edge.to};
    const split_result parts = split(first, second, begin, end);
    if (parts.first_end != begin) {
      add(first, begin, parts.first_end, parts.farthest_of_first);
    }
    corners_.push_back(farthest);
    if (parts.second_begin != end) {
      add(second, parts.second_begin, end, parts.farthest_of_second);
    }
  }

  // Moves the points outside `first` to the front, those outside `second` to the back, and
  // finds the farthest of each in the same pass. No point is outside both.
  struct split_result {
    point2* first_end;
    point2* second_begin;
    point2 farthest_of_first;
    point2 farthest_of_second;
  };
  static split_result split(const hull_edge& first, const hull_edge& second, point2* begin,
                            point2* end) {
    point2* front = begin;
    point2* back = end;
    outsider best_first{};
    outsider best_second{};
    for (point2* next = begin; next != back;) {
      const point2 p = *next;
      const outsider of_first = outsider_of(first, p);
      if (is_outside(first, of_first)) {
        if (front == begin || is_farther(first, of_first, best_first)) {
          best_first = of_first;
        }
        *front++ = p;
        ++next;
        continue;
      }
      const outsider of_second = outsider_of(second, p);
      if (is_outside(second, of_second)) {
        if (back == end || is_farther(second, of_second, best_second)) {
          best_second = of_second;
        }
        // Its place is taken by a point that was not looked at yet.
        *next = *--back;
        *back = p;
        continue;
      }
      ++next;
    }
    return {front, back, best_first.where, best_second.where};
  }

 private:
  std::vector<point2>& corners_;
};

}  // namespace

std::vector<point2> serial_quickhull(std::vector<point2>& points) {
  if (points.empty()) {
    return {};
  }
  const auto [low, high] = std::minmax_element(points.begin(), points.end());
  const point2 leftmost = *low;
  const point2 rightmost = *high;
  std::vector<point2> corners = {leftmost};
  if (leftmost == rightmost) {
    return corners;
  }
  const hull_edge below = {leftmost, rightmost};
  const hull_edge above = {rightmost, leftmost};
  point2* begin = points.data();
  point2* end = begin + points.size();
  const auto parts = serial_hull::split(below, above, begin, end);
  serial_hull hull(corners);
  if (parts.first_end != begin) {
    hull.add(below, begin, parts.first_end, parts.farthest_of_first);
  }
  corners.push_back(rightmost);
  if (parts.second_begin != end) {
    hull.add(above, parts.second_begin, end, parts.farthest_of_second);
  }
  return corners;
}

std::vector<point2> monotone_chain(std::vector<point2>& points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 2) {
    return points;
  }
  std::vector<point2> corners;
  const auto add_chain = [&corners](auto first, auto last) {
    const std::size_t base = corners.size();
    for (; first != last; ++first) {
      while (corners.size() >= base + 2 &&
             orientation(corners[corners.size() - 2], corners.back(), *first) <= 0) {
        corners.pop_back();
      }
      corners.push_back(*first);
    }
    // The other chain begins with it.
    corners.pop_back();
  };
  add_chain(points.begin(), points.end());
  add_chain(points.rbegin(), points.rend());
  return corners;
}

bool is_convex_hull(std::span<const point2> points, std::span<const point2> hull) {
  if (points.empty() || hull.empty()) {
    return points.empty() && hull.empty();
  }
  // Every corner is one of the points.
  std::vector<point2> wanted(hull.begin(), hull.end());
  std::sort(wanted.begin(), wanted.end());
  std::vector<bool> found(wanted.size());
  for (const point2& p : points) {
    const auto place = std::lower_bound(wanted.begin(), wanted.end(), p);
    if (place != wanted.end() && *place == p) {
      found[static_cast<std::size_t>(place - wanted.begin())] = true;
    }
  }
  if (std::count(found.begin(), found.end(), true) != static_cast<std::ptrdiff_t>(wanted.size())) {
    return false;
  }
  // Counterclockwise: up to the rightmost corner x does not fall, after it x does not rise, and
  // all turns are to the left. So it goes around once.
  const auto rightmost = std::max_element(hull.begin(), hull.end());
  const auto one = hull.begin();
  if (*one != wanted.front() || !std::is_sorted(one, rightmost + 1) ||
      !std::is_sorted(rightmost, hull.end(), std::greater<>{})) {
    return false;
  }
  const std::size_t count = hull.size();
  for (std::size_t i = 0; count > 2 && i < count; ++i) {
    if (orientation(hull[i], hull[(i + 1) % count], hull[(i + 2) % count]) <= 0) {
      return false;
    }
  }
  // The edge below and the edge above each point.
  const auto is_inside = [&](const point2& p) {
    if (p < *one || p > *rightmost) {
      return false;
    }
    if (count == 1) {
      return true;
    }
    const auto below = std::upper_bound(one + 1, rightmost, p);
    const auto above = std::upper_bound(rightmost + 1, hull.end(), p,
                                        std::greater_equal<>{});
    const point2& end = above == hull.end() ? *one : *above;
    return orientation(*(below - 1), *below, p) >= 0 && orientation(*(above - 1), end, p) >= 0;
  };
  return std::all_of(points.begin(), points.end(), is_inside);
}

}  // namespace takt::bench::pbbs
