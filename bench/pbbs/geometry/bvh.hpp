// A hierarchy of bounding boxes over the triangles of a mesh, and rays that are cast at it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "pbbs/geometry/triangle_mesh.hpp"
#include "pbbs/geometry/serial_primitives.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

struct box3f {
  static constexpr float k_infinity = std::numeric_limits<float>::infinity();

  vector3f low = {k_infinity, k_infinity, k_infinity};
  vector3f high = {-k_infinity, -k_infinity, -k_infinity};

  void include(const vector3f& p) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  void include(const box3f& other) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], other.low[axis]);
      high[axis] = std::max(high[axis], other.high[axis]);
    }
  }
  float extent(std::size_t axis) const { return high[axis] - low[axis]; }
  float half_area() const {
    return extent(0) * extent(1) + extent(1) * extent(2) + extent(2) * extent(0);
  }
};

// What a ray meets first: the nearest triangle and, of several at the same distance, the one
// that comes first in the mesh. This order makes the answer independent of that of the search.
struct hit {
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  double distance = std::numeric_limits<double>::infinity();  // in lengths of the ray
  std::uint32_t triangle = k_none;

  void offer(double other_distance, std::uint32_t other) {
    if (other_distance < distance || (other_distance == distance && other < triangle)) {
      distance = other_distance;
      triangle = other;
    }
  }
  friend bool operator==(const hit&, const hit&) = default;
};

// The corners of a triangle, with its place in the mesh.
struct placed_triangle {
  std::array<vector3f, 3> corner;
  std::uint32_t id;
};

// Moeller and Trumbore's test, in doubles; both sides of a triangle count.
void offer_triangle(const ray& r, const placed_triangle& t, hit& found);

// The nodes, and the triangles in the order of the leaves. Nodes are divided where the surface
// area heuristic is least of 16 bins along the longest side of the box around the triangles'
// middles (Wald, On Fast Construction of SAH-based Bounding Volume Hierarchies, 2007).
class bvh {
 public:
  // The first triangle that the ray meets. Expected O(log n) steps where triangles are small and
  // do not overlap much.
  hit first_hit(const ray& r) const;

 protected:
  // A triangle on its way to its leaf.
  struct part {
    box3f around;
    std::uint32_t id;

    float middle(std::size_t axis) const { return 0.5F * (around.low[axis] + around.high[axis]); }
  };

  static constexpr std::size_t k_bins = 16;

  // Which bin the middle of a part falls into, along one axis.
  struct binning {
    std::size_t axis;
    float origin;
    float scale;

    std::size_t bin_of(const part& p) const {
      const float place = (p.middle(axis) - origin) * scale;
      return std::min(static_cast<std::size_t>(place), k_bins - 1);
    }
  };

  // Parts in bins before `bin` go to the left.
  struct division {
    binning how;
    std::size_t bin;

    bool is_left(const part& p) const { return how.bin_of(p) < bin; }
  };

  // All that is known of the parts in the bins.
  struct bins {
    std::array<box3f, k_bins> around;
    std::array<std::uint32_t, k_bins> count{};

    void include(const binning& how, const part* parts, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) {
        const std::size_t bin = how.bin_of(parts[i]);
        around[bin].include(parts[i].around);
        ++count[bin];
      }
    }
    void include(const bins& other) {
      for (std::size_t bin = 0; bin < k_bins; ++bin) {
        around[bin].include(other.around[bin]);
        count[bin] += other.count[bin];
      }
    }
  };

  // The boxes around parts and around their middles.
  struct bounds {
    box3f around;
    box3f middles;

    void include(const part* parts, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i) {
        around.include(parts[i].around);
        middles.include(vector3f{parts[i].middle(0), parts[i].middle(1), parts[i].middle(2)});
      }
    }
    void include(const bounds& other) {
      around.include(other.around);
      middles.include(other.middles);
    }
  };

  // `largest` is that of all coordinates, in magnitude.
  bvh(const triangle_mesh& mesh, float largest)
      : triangles_(mesh.triangles.size()),
        nodes_(2 * mesh.triangles.size() + 1),
        mesh_(mesh),
        margin_(largest * 0x1.0p-20F) {}

  part part_of(std::size_t triangle) const;
  static float largest_of(const vector3f& p) {
    return std::max({std::fabs(p[0]), std::fabs(p[1]), std::fabs(p[2])});
  }

  // The tree over `size` parts at `here` that belong to [begin, begin + size) of the tree; they
  // are reordered.
  void build_serially(std::uint32_t place, std::size_t begin, part* here, std::size_t size);

  // Makes node `place` a leaf or, if that is worth it, an inner one; then says how to divide.
  // `fill` returns the bins for a binning.
  template <class Fill>
  std::optional<division> divide(std::uint32_t place, std::size_t size, const bounds& all,
                                 const Fill& fill) {
    nodes_[place].around = all.around;
    if (size <= 1) {
      return {};
    }
    std::size_t axis = all.middles.extent(1) > all.middles.extent(0) ? 1 : 0;
    axis = all.middles.extent(2) > all.middles.extent(axis) ? 2 : axis;
    const float extent = all.middles.extent(axis);
    const float scale = static_cast<float>(k_bins) / extent;
    // Also where the middles are so near each other that there is nothing to tell them apart.
    if (!(extent > 0) || !std::isfinite(scale)) {
      return {};
    }
    const binning how = {axis, all.middles.low[axis], scale};
    const std::size_t bin = best_bin(fill(how), all.around, size);
    return bin == 0 ? std::nullopt : std::optional(division{how, bin});
  }
  void make_leaf(std::uint32_t place, std::size_t begin, const part* parts, std::size_t size);

  // Makes the node an inner one and returns the left of its children; the right one is next.
  // The order of nodes depends on the schedule, and nothing else does.
  std::uint32_t make_inner(std::uint32_t place) {
    const std::uint32_t child =
        std::atomic_ref(used_).fetch_add(2, std::memory_order_relaxed);
    nodes_[place].first = child;
    nodes_[place].count = 0;
    return child;
  }

 private:
  struct node {
    box3f around;
    std::uint32_t first;  // inner: the left child; leaf: its first triangle
    std::uint32_t count;  // leaf: how many triangles; inner: 0
  };

  // The first bin of the right side, or 0 if a leaf is better.
  static std::size_t best_bin(const bins& all, const box3f& around, std::size_t size);

  array<placed_triangle> triangles_;
  array<node> nodes_;
  std::uint32_t used_ = 1;
  const triangle_mesh& mesh_;
  // What boxes are larger than need be: a ray that passes by a triangle at the distance of a
  // rounding error may count as meeting it.
  float margin_;
};

// O(n log n) where triangles are spread so that the heuristic's divisions are not too uneven.
class serial_bvh : public bvh {
 public:
  explicit serial_bvh(const triangle_mesh& mesh);

 private:
  static float largest_in(const triangle_mesh& mesh);
};

// Built by forks: boxes and bins by reductions, the two sides of a division by filters. The same
// tree as the serial one. Span O(log^2 n) for every level; twice the memory for the parts.
template <class Par>
class parallel_bvh : public bvh {
 public:
  explicit parallel_bvh(const triangle_mesh& mesh) : bvh(mesh, largest_in(mesh)) {
    const std::size_t size = mesh.triangles.size();
    array<part> parts(size);
    array<part> spare(size);
    Par::loop(std::size_t{0}, size,
              [this, to = parts.data()](std::size_t i) { to[i] = part_of(i); });
    build(0, 0, parts.data(), spare.data(), size);
  }

 private:
  // A reduction takes so many parts at a time: combining bins costs as much as filling them
  // with a few dozen parts. Trees over so few are built in place.
  static constexpr std::size_t k_few = 64;

  static float largest_in(const triangle_mesh& mesh) {
    return Par::reduce(
        mesh.vertices.size(), 0.0F,
        [&mesh](std::size_t i) { return largest_of(mesh.vertices[i]); },
        [](float a, float b) { return std::max(a, b); });
  }

  template <class Sum, class Include>
  static Sum sum_of(std::size_t size, const Include& include) {
    return Par::reduce(
        (size + k_few - 1) / k_few, Sum{},
        [size, &include](std::size_t some) {
          Sum sum;
          include(sum, some * k_few, std::min(k_few, size - some * k_few));
          return sum;
        },
        [](Sum a, const Sum& b) {
          a.include(b);
          return a;
        });
  }

  void build(std::uint32_t place, std::size_t begin, part* here, part* spare, std::size_t size) {
    if (size <= k_few || is_cut_off<Par>(size)) {
      build_serially(place, begin, here, size);
      return;
    }
    const bounds all =
        sum_of<bounds>(size, [here](bounds& sum, std::size_t first, std::size_t count) {
          sum.include(here + first, count);
        });
    const std::optional<division> found = divide(place, size, all, [here, size](const binning& how) {
      return sum_of<bins>(size, [here, how](bins& sum, std::size_t first, std::size_t count) {
        sum.include(how, here + first, count);
      });
    });
    if (!found) {
      make_leaf(place, begin, here, size);
      return;
    }
    const division at = *found;
    const std::size_t left =
        Par::filter(here, size, spare, [at](const part& p) { return at.is_left(p); });
    Par::filter(here, size, spare + left, [at](const part& p) { return !at.is_left(p); });
    const std::uint32_t child = make_inner(place);
    Par::fork(size, [&] { build(child, begin, spare, here, left); },
              [&] { build(child + 1, begin + left, spare + left, here + left, size - left); });
  }
};

// Whether what `some` rays, evenly spread, meet first is what a look at all triangles finds.
// Time O(some n).
bool are_first_hits(const triangle_mesh& mesh, const std::vector<ray>& rays,
                    const std::vector<hit>& got, std::size_t some);

}  // namespace takt::bench::pbbs
