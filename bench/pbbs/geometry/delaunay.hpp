// Delaunay triangulation by divide and conquer.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pbbs/geometry/delaunay_edges.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

// Corners in counterclockwise order, as places in the input.
using corner_ids = std::array<std::uint32_t, 3>;

// Whether `triangles` are a Delaunay triangulation of `points`; of equal points, one is a
// corner and the others are none. All tests are exact:
// - every triangle turns left, and no edge belongs to two triangles on the same side;
// - across every edge, the other triangle's corner is not inside the circle of this one, which
//   makes all circles empty (Delaunay's lemma);
// - the edges of only one triangle go once around a convex polygon;
// - there are 2v - 2 - h triangles for v corners, h of them on the hull (Euler).
// Time O(n log n).
bool is_delaunay(std::span<const point2> points, std::span<const corner_ids> triangles);

// Guibas and Stolfi's divide and conquer over Dwyer's cells: sites are sorted by x and cut
// into about sqrt(n / log n) strips of equal numbers, each strip is sorted by y and halved down
// to two or three sites, and triangulations are merged first along, then across the strips.
//
// Work O(n log n), expected O(n log log n) after sorting where points are spread evenly. The
// halves are forks; a merge is serial. It visits the sites that the other side's can see,
// expected O(sqrt(n log n)) for points that are spread evenly, which is then also the span.
template <class Par>
class delaunay {
 public:
  static std::vector<corner_ids> of(const std::vector<point2>& points) {
    auto sites = sorted(points);
    const std::size_t count = drop_repeated(sites);
    if (count < 3) {
      return {};
    }
    array<record> records(delaunay_edges::k_records_per_site * count);
    delaunay edges(sites.data(), count, records.data());
    edges.triangulate_strips(0, edges.strips_);
    return edges.triangles();
  }

 private:
  using record = delaunay_edges::record;

  delaunay(site_point* sites, std::size_t count, record* records)
      : sites_(sites), count_(count), strips_(strips_for(count)), edges_(sites, records) {}

  static array<site_point> sorted(const std::vector<point2>& points) {
    array<site_point> sites(points.size());
    Par::loop(std::size_t{0}, points.size(), [&points, to = sites.data()](std::size_t i) {
      to[i] = {points[i], static_cast<std::uint32_t>(i)};
    });
    Par::sort(sites.data(), points.size(), [](const site_point& a, const site_point& b) {
      return a.where != b.where ? comes_before<cut::by_x>(a.where, b.where) : a.id < b.id;
    });
    return sites;
  }

  // Returns how many sites are left.
  static std::size_t drop_repeated(array<site_point>& sites) {
    const std::size_t count = sites.size();
    const site_point* all = sites.data();
    const auto is_first = [all](std::size_t i) {
      return i == 0 || all[i].where != all[i - 1].where;
    };
    const std::size_t distinct = Par::reduce(
        count, std::size_t{0},
        [is_first](std::size_t i) { return std::size_t{is_first(i)}; },
        [](std::size_t a, std::size_t b) { return a + b; });
    if (distinct < count) {
      array<std::size_t> places(distinct);
      Par::filter_index(count, places.data(), is_first);
      array<site_point> kept(distinct);
      Par::loop(std::size_t{0}, distinct, [all, from = places.data(), to = kept.data()](
                                              std::size_t i) { to[i] = all[from[i]]; });
      sites = std::move(kept);
    }
    return distinct;
  }

  // At least one, and not so many that one would have fewer than two sites.
  static std::size_t strips_for(std::size_t count) {
    const double n = static_cast<double>(count);
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(n / std::log2(n))), 1,
                                   count / 2);
  }

  triangulation triangulate_strips(std::size_t begin, std::size_t end) {
    if (end - begin == 1) {
      const std::size_t first = begin * count_ / strips_;
      const std::size_t last = end * count_ / strips_;
      Par::sort(sites_ + first, last - first, [](const site_point& a, const site_point& b) {
        return comes_before<cut::by_y>(a.where, b.where);
      });
      triangulation strip = triangulate(first, last);
      edges_.template turn<cut::by_x>(strip);
      return strip;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    triangulation left;
    triangulation right;
    Par::fork((end - begin) * count_ / strips_, [&] { left = triangulate_strips(begin, middle); },
              [&] { right = triangulate_strips(middle, end); });
    return edges_.merge(left, right);
  }

  triangulation triangulate(std::size_t begin, std::size_t end) {
    if (end - begin <= 3) {
      return edges_.triangulate_few(begin, end);
    }
    const std::size_t middle = begin + (end - begin) / 2;
    triangulation below;
    triangulation above;
    Par::fork(end - begin, [&] { below = triangulate(begin, middle); },
              [&] { above = triangulate(middle, end); });
    return edges_.merge(below, above);
  }

  std::vector<corner_ids> triangles() const {
    const std::size_t half_edges = delaunay_edges::k_records_per_site * count_;
    const delaunay_edges& edges = edges_;
    array<half_edge> names(2 * count_);
    const std::size_t size = Par::filter_index(
        half_edges, names.data(), [&edges](half_edge e) { return edges.names_triangle(e); });
    std::vector<corner_ids> all(size);
    Par::loop(std::size_t{0}, size, [&edges, from = names.data(), to = all.data()](
                                        std::size_t i) { to[i] = edges.triangle(from[i]); });
    return all;
  }

  site_point* sites_;
  std::size_t count_;
  std::size_t strips_;
  delaunay_edges edges_;
};

}  // namespace takt::bench::pbbs
