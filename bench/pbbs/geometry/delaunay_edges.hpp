// The edges of a Delaunay triangulation under way, and how two triangulations that a line
// separates are merged (Guibas and Stolfi, Primitives for the Manipulation of General
// Subdivisions and the Computation of Voronoi Diagrams, 1985, section 9).
//
// Every edge is two half-edges, number 2k and 2k + 1, one for each direction. The half-edges
// that leave a corner form a ring; the faces need no record of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "pbbs/geometry/point.hpp"
#include "pbbs/geometry/predicates.hpp"

namespace takt::bench::pbbs {

using half_edge = std::uint32_t;

// A point with its place in the input.
struct site_point {
  point2 where;
  std::uint32_t id;
};

// The two orders in which sites are cut. A triangulation is built of two that are apart in one
// of them; turned by a quarter, the other one is the same, and turns to the left stay such.
enum class cut { by_x, by_y };

template <cut Cut>
bool comes_before(const point2& a, const point2& b) {
  if constexpr (Cut == cut::by_x) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  } else {
    return a.y() != b.y() ? a.y() < b.y() : a.x() > b.x();
  }
}

// Part of the sites, triangulated.
struct triangulation {
  half_edge first;  // of the hull, counterclockwise, from the first site in the current order
  half_edge last;   // of the hull, clockwise, from the last site
  // Unused edges, linked through their records. There are three for every site, at least as
  // many as a planar graph can have, so a merge never runs out of them.
  half_edge free_head;
  half_edge free_tail;
};

class delaunay_edges {
 public:
  static constexpr half_edge k_none = ~half_edge{0};
  struct record {
    std::uint32_t origin;  // a site; k_none: this edge is unused
    half_edge next;        // counterclockwise around the origin
    half_edge previous;
  };

  // Room for the triangulation of `sites`, which must stay where they are, as must `records`,
  // six for every site.
  delaunay_edges(const site_point* sites, record* records) : sites_(sites), records_(records) {}

  static constexpr std::size_t k_records_per_site = 6;

  // Sites [begin, end), two or three of them, in the order of a cut.
  triangulation triangulate_few(std::size_t begin, std::size_t end) {
    triangulation t{};
    for (auto edge = static_cast<half_edge>(k_records_per_site * begin);
         edge < k_records_per_site * end; edge += 2) {
      records_[edge].origin = k_none;
      records_[edge + 1].origin = k_none;
      records_[edge].next = edge + 2;
    }
    t.free_head = static_cast<half_edge>(k_records_per_site * begin);
    t.free_tail = static_cast<half_edge>(k_records_per_site * end - 2);
    const auto one = static_cast<std::uint32_t>(begin);
    const half_edge a = add(t, one, one + 1);
    if (end - begin == 2) {
      t.first = a;
      t.last = twin(a);
      return t;
    }
    const half_edge b = add(t, one + 1, one + 2);
    splice(twin(a), b);
    const int turn = orientation(place(one), place(one + 1), place(one + 2));
    if (turn == 0) {
      t.first = a;
      t.last = twin(b);
      return t;
    }
    const half_edge c = connect(t, b, a);
    t.first = turn > 0 ? a : twin(c);
    t.last = turn > 0 ? twin(b) : c;
    return t;
  }

  // All sites of `left` come before all of `right`.
  triangulation merge(const triangulation& left, const triangulation& right) {
    triangulation t{left.first, right.last, left.free_head, right.free_tail};
    records_[left.free_tail].next = right.free_head;
    // Down to the edge that the hull of both has below.
    half_edge l = left.last;
    half_edge r = right.first;
    for (;;) {
      if (is_left_of(origin(r), l)) {
        l = next_of_left_face(l);
      } else if (is_right_of(origin(l), r)) {
        r = next_around(twin(r));
      } else {
        break;
      }
    }
    half_edge base = connect(t, twin(r), l);
    if (origin(l) == origin(t.first)) {
      t.first = twin(base);
    }
    if (origin(r) == origin(t.last)) {
      t.last = base;
    }
    zip(t, base);
    return t;
  }

  // For sites that were in the order of the other cut: finds the first and the last in the
  // order of this one. Linear in the size of the hull.
  template <cut Cut>
  void turn(triangulation& t) const {
    half_edge first = t.first;
    half_edge last = t.first;
    for (half_edge edge = next_around(twin(t.first)); edge != t.first;
         edge = next_around(twin(edge))) {
      const point2& p = place(origin(edge));
      first = comes_before<Cut>(p, place(origin(first))) ? edge : first;
      last = comes_before<Cut>(place(origin(last)), p) ? edge : last;
    }
    t.first = first;
    t.last = records_[last].previous;
  }

  // Whether `edge` is the one by which the triangle to the left of it is known: of its three
  // edges, the one with the lowest number.
  bool names_triangle(half_edge edge) const {
    if (records_[edge].origin == k_none) {
      return false;
    }
    const half_edge second = next_of_left_face(edge);
    const half_edge third = next_of_left_face(second);
    // The outside of the hull has three edges if all there is is one triangle in the middle.
    return edge < second && edge < third && next_of_left_face(third) == edge &&
           orientation(place(origin(edge)), place(origin(second)), place(origin(third))) > 0;
  }
  std::array<std::uint32_t, 3> triangle(half_edge edge) const {
    const half_edge second = next_of_left_face(edge);
    const half_edge third = next_of_left_face(second);
    return {sites_[origin(edge)].id, sites_[origin(second)].id, sites_[origin(third)].id};
  }

 private:
  static half_edge twin(half_edge edge) { return edge ^ 1; }
  std::uint32_t origin(half_edge edge) const { return records_[edge].origin; }
  std::uint32_t target(half_edge edge) const { return origin(twin(edge)); }
  half_edge next_around(half_edge edge) const { return records_[edge].next; }
  half_edge next_of_left_face(half_edge edge) const { return records_[twin(edge)].previous; }
  const point2& place(std::uint32_t site) const { return sites_[site].where; }

  bool is_left_of(std::uint32_t site, half_edge edge) const {
    return orientation(place(site), place(origin(edge)), place(target(edge))) > 0;
  }
  bool is_right_of(std::uint32_t site, half_edge edge) const {
    return orientation(place(site), place(target(edge)), place(origin(edge))) > 0;
  }

  half_edge add(triangulation& t, std::uint32_t from, std::uint32_t to) {
    const half_edge edge = t.free_head;
    t.free_head = records_[edge].next;
    records_[edge] = {from, edge, edge};
    records_[twin(edge)] = {to, twin(edge), twin(edge)};
    return edge;
  }

  // Joins two rings, or cuts one into two.
  void splice(half_edge a, half_edge b) {
    const half_edge after_a = records_[a].next;
    const half_edge after_b = records_[b].next;
    records_[a].next = after_b;
    records_[b].next = after_a;
    records_[after_b].previous = a;
    records_[after_a].previous = b;
  }

  // A new edge from the end of a to the start of b, with the same face to the left of all.
  half_edge connect(triangulation& t, half_edge a, half_edge b) {
    const half_edge edge = add(t, target(a), origin(b));
    splice(edge, next_of_left_face(a));
    splice(twin(edge), b);
    return edge;
  }

  void remove(triangulation& t, half_edge edge) {
    splice(edge, records_[edge].previous);
    splice(twin(edge), records_[twin(edge)].previous);
    const half_edge even = edge & ~half_edge{1};
    records_[even].origin = k_none;
    records_[twin(even)].origin = k_none;
    records_[even].next = t.free_head;
    t.free_head = even;
  }

  bool circle_holds(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) const {
    return in_circle(place(a), place(b), place(c), place(d)) > 0;
  }

  // From the edge below up to the one above, closes the gap triangle by triangle.
  void zip(triangulation& t, half_edge base) {
    for (;;) {
      const std::uint32_t right = origin(base);
      const std::uint32_t left = target(base);
      half_edge from_left = next_around(twin(base));
      bool has_left = is_right_of(target(from_left), base);
      if (has_left) {
        for (;;) {
          const half_edge next = next_around(from_left);
          if (!circle_holds(left, right, target(from_left), target(next))) {
            break;
          }
          remove(t, from_left);
          from_left = next;
        }
      }
      half_edge from_right = records_[base].previous;
      bool has_right = is_right_of(target(from_right), base);
      if (has_right) {
        for (;;) {
          const half_edge next = records_[from_right].previous;
          if (!circle_holds(left, right, target(from_right), target(next))) {
            break;
          }
          remove(t, from_right);
          from_right = next;
        }
      }
      if (!has_left && !has_right) {
        return;
      }
      if (!has_left ||
          (has_right && circle_holds(target(from_left), left, right, target(from_right)))) {
        base = connect(t, from_right, twin(base));
      } else {
        base = connect(t, twin(base), twin(from_left));
      }
    }
  }

  const site_point* sites_;
  record* records_;
};

}  // namespace takt::bench::pbbs
