// A k-d tree over points, and the k nearest neighbours of all of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "pbbs/geometry/point.hpp"
#include "pbbs/geometry/serial_primitives.hpp"
#include "pbbs/parallel/array.hpp"

namespace takt::bench::pbbs {

// A point with its place in the input.
template <std::size_t D>
struct tagged_point {
  point<D> where;
  std::uint32_t id;
};

// The K nearest points found so far, nearest first.
template <std::size_t K>
class nearest_list {
 public:
  static constexpr std::uint32_t k_none = ~std::uint32_t{0};

  nearest_list() {
    distance_.fill(std::numeric_limits<double>::infinity());
    id_.fill(k_none);
  }
  // Squared distance below which a point would be among the K.
  double reach() const { return distance_[K - 1]; }
  void offer(double distance, std::uint32_t id) {
    if (distance >= reach()) {
      return;
    }
    std::size_t place = K - 1;
    for (; place > 0 && distance_[place - 1] > distance; --place) {
      distance_[place] = distance_[place - 1];
      id_[place] = id_[place - 1];
    }
    distance_[place] = distance;
    id_[place] = id;
  }
  const std::array<std::uint32_t, K>& ids() const { return id_; }

 private:
  std::array<double, K> distance_;
  std::array<std::uint32_t, K> id_;
};

// The nodes, and the points in the order of the leaves. Points are divided at the median of the
// longest side of their bounding box, so the depth is logarithmic whatever their distribution;
// points that are all equal share a leaf.
template <std::size_t D>
class kd_tree {
 public:
  using entry = tagged_point<D>;

  std::size_t size() const { return points_.size(); }
  const entry& at(std::size_t place) const { return points_[place]; }

  // Offers all points but `from` itself that are near enough.
  //
  // What a cell is away is computed as the distance of two points is, in the same order, so
  // rounding cannot make it larger than that of a point in the cell: nothing is missed.
  template <std::size_t K>
  void nearest(const entry& from, nearest_list<K>& found) const {
    point<D> away = box<D>::filled(0);
    search(0, from, away, found);
  }

 protected:
  // So few points are not divided: looking at them all costs less than a node.
  static constexpr std::size_t k_leaf = 8;

  struct node {
    double split;         // inner: the left side is not above it, the right one not below
    std::uint32_t axis;   // inner: 0 to D - 1; k_is_leaf in a leaf
    std::uint32_t first;  // inner: the left child, the right one is next; leaf: its first point
    std::uint32_t count;  // leaf: how many points
  };
  static constexpr std::uint32_t k_is_leaf = D;

  explicit kd_tree(const std::vector<point<D>>& points)
      : points_(points.size()), nodes_(2 * points.size() + 1) {}

  // One with its sibling. The order of nodes depends on the schedule, and nothing else does.
  std::uint32_t take_two_nodes() {
    return std::atomic_ref(used_).fetch_add(2, std::memory_order_relaxed);
  }

  // The tree over `size` points at `here` that belong to [begin, begin + size) of the tree.
  void build_serially(std::uint32_t place, std::size_t begin, entry* here, std::size_t size) {
    const std::size_t axis = size <= k_leaf ? k_is_leaf : axis_of(box_of(here, size));
    if (axis == k_is_leaf) {
      make_leaf(place, begin, here, size);
      return;
    }
    const std::size_t half = size / 2;
    std::nth_element(here, here + half, here + size, [axis](const entry& a, const entry& b) {
      return a.where[axis] < b.where[axis];
    });
    const std::uint32_t child = make_inner(place, axis, here[half].where[axis]);
    build_serially(child, begin, here, half);
    build_serially(child + 1, begin + half, here + half, size - half);
  }

  static box<D> box_of(const entry* points, std::size_t size) {
    box<D> around;
    for (std::size_t i = 0; i < size; ++i) {
      around.include(points[i].where);
    }
    return around;
  }
  // The axis to divide points at; k_is_leaf if they are all the same.
  static std::size_t axis_of(const box<D>& around) {
    const std::size_t axis = around.longest_axis();
    return around.extent(axis) > 0 ? axis : k_is_leaf;
  }
  void make_leaf(std::uint32_t place, std::size_t begin, const entry* from, std::size_t size) {
    entry* to = points_.data() + begin;
    if (from != to) {
      std::copy(from, from + size, to);
    }
    nodes_[place] = {0, k_is_leaf, static_cast<std::uint32_t>(begin),
                     static_cast<std::uint32_t>(size)};
  }
  std::uint32_t make_inner(std::uint32_t place, std::size_t axis, double split) {
    const std::uint32_t child = take_two_nodes();
    nodes_[place] = {split, static_cast<std::uint32_t>(axis), child, 0};
    return child;
  }

  array<entry> points_;

 private:
  template <std::size_t K>
  void search(std::uint32_t place, const entry& from, point<D>& away,
              nearest_list<K>& found) const {
    const node& here = nodes_[place];
    if (here.axis == k_is_leaf) {
      const entry* const first = points_.data() + here.first;
      // Leaves of equal points can be large.
      for (std::uint32_t i = 0; i < here.count && found.reach() > 0; ++i) {
        if (first[i].id != from.id) {
          found.offer(squared_distance(from.where, first[i].where), first[i].id);
        }
      }
      return;
    }
    const double beyond = from.where[here.axis] - here.split;
    const std::uint32_t right_is_near = beyond >= 0 ? 1 : 0;
    search(here.first + right_is_near, from, away, found);
    const double before = away[here.axis];
    away[here.axis] = beyond;
    if (squared_distance(away, box<D>::filled(0)) < found.reach()) {
      search(here.first + 1 - right_is_near, from, away, found);
    }
    away[here.axis] = before;
  }

  array<node> nodes_;
  std::uint32_t used_ = 1;
};

// Built by std::nth_element. O(n log n).
template <std::size_t D>
class serial_kd_tree : public kd_tree<D> {
 public:
  explicit serial_kd_tree(const std::vector<point<D>>& points) : kd_tree<D>(points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      this->points_[i] = {points[i], static_cast<std::uint32_t>(i)};
    }
    this->build_serially(0, 0, this->points_.data(), points.size());
  }
};

// Built by forks: points are divided at the median of a sample, by two filters. Expected work
// O(n log n), span O(log^3 n); twice the memory of the points.
template <std::size_t D, class Par>
class parallel_kd_tree : public kd_tree<D> {
 public:
  explicit parallel_kd_tree(const std::vector<point<D>>& points) : kd_tree<D>(points) {
    entry* const here = this->points_.data();
    Par::loop(std::size_t{0}, points.size(), [&points, here](std::size_t i) {
      here[i] = {points[i], static_cast<std::uint32_t>(i)};
    });
    array<entry> spare(points.size());
    build(0, 0, here, spare.data(), points.size());
  }

 private:
  using entry = tagged_point<D>;

  // So few points have their exact median found, in place.
  static constexpr std::size_t k_few = 64;

  void build(std::uint32_t place, std::size_t begin, entry* here, entry* spare, std::size_t size) {
    if (size <= k_few || is_cut_off<Par>(size)) {
      this->build_serially(place, begin, here, size);
      return;
    }
    const box<D> around = Par::reduce(
        size, box<D>{},
        [here](std::size_t i) {
          box<D> one;
          one.low = one.high = here[i].where;
          return one;
        },
        [](box<D> a, const box<D>& b) {
          a.include(b);
          return a;
        });
    const std::size_t axis = this->axis_of(around);
    if (axis == this->k_is_leaf) {
      this->make_leaf(place, begin, here, size);
      return;
    }
    double split = sampled_median(here, size, axis);
    std::size_t left = 0;
    for (;;) {
      left = Par::filter(here, size, spare,
                         [axis, split](const entry& p) { return p.where[axis] < split; });
      if (left > 0) {
        break;
      }
      // The median is the least, but not the largest.
      split = std::nextafter(split, std::numeric_limits<double>::infinity());
    }
    Par::filter(here, size, spare + left,
                [axis, split](const entry& p) { return p.where[axis] >= split; });
    const std::uint32_t child = this->make_inner(place, axis, split);
    Par::fork(size, [&] { build(child, begin, spare, here, left); },
              [&] { build(child + 1, begin + left, spare + left, here + left, size - left); });
  }

  static double sampled_median(const entry* points, std::size_t size, std::size_t axis) {
    constexpr std::size_t k_sample = 63;
    std::array<double, k_sample> sample;
    for (std::size_t i = 0; i < k_sample; ++i) {
      sample[i] = points[i * size / k_sample].where[axis];
    }
    std::nth_element(sample.begin(), sample.begin() + k_sample / 2, sample.end());
    return sample[k_sample / 2];
  }
};

// The K nearest neighbours of every point, nearest first; nearest_list<K>::k_none where there
// are fewer. Of points at the same distance any may be named. Expected O(log n) for a point.
template <std::size_t K, std::size_t D>
void find_neighbours(const kd_tree<D>& tree, std::size_t place,
                     std::vector<std::array<std::uint32_t, K>>& neighbours) {
  nearest_list<K> found;
  tree.nearest(tree.at(place), found);
  neighbours[tree.at(place).id] = found.ids();
}

template <std::size_t K, std::size_t D>
void serial_neighbours(const std::vector<point<D>>& points,
                       std::vector<std::array<std::uint32_t, K>>& neighbours) {
  const serial_kd_tree<D> tree(points);
  // In the order of the tree: what one search brings into the cache serves the next one.
  for (std::size_t place = 0; place < points.size(); ++place) {
    find_neighbours<K>(tree, place, neighbours);
  }
}

template <class Par, std::size_t K, std::size_t D>
void parallel_neighbours(const std::vector<point<D>>& points,
                         std::vector<std::array<std::uint32_t, K>>& neighbours) {
  const parallel_kd_tree<D, Par> tree(points);
  Par::loop(std::size_t{0}, points.size(), [&tree, &neighbours](std::size_t place) {
    find_neighbours<K>(tree, place, neighbours);
  });
}

// Whether the neighbours of `some` points, evenly spread over the input, are those that a look at
// all points finds. Time O(some n).
template <std::size_t K, std::size_t D>
bool are_nearest(const std::vector<point<D>>& points,
                 const std::vector<std::array<std::uint32_t, K>>& got, std::size_t some) {
  const std::size_t size = points.size();
  if (got.size() != size) {
    return false;
  }
  for (std::size_t pick = 0; pick < std::min(some, size); ++pick) {
    const std::size_t i = pick * size / std::min(some, size);
    nearest_list<K> found;
    for (std::size_t other = 0; other < size; ++other) {
      if (other != i) {
        found.offer(squared_distance(points[i], points[other]),
                    static_cast<std::uint32_t>(other));
      }
    }
    for (std::size_t k = 0; k < K; ++k) {
      const std::uint32_t a = got[i][k];
      const std::uint32_t b = found.ids()[k];
      const bool is_same = a == b || (a < size && b < size && a != i &&
                                      squared_distance(points[i], points[a]) ==
                                          squared_distance(points[i], points[b]));
      if (!is_same) {
        return false;
      }
    }
  }
  return true;
}

// Whether the answers agree: every named point is another than the one it is a neighbour of, no
// point is named twice for the same one, and distances are the same to the last bit.
template <std::size_t K, std::size_t D>
bool are_same_neighbours(const std::vector<point<D>>& points,
                         const std::vector<std::array<std::uint32_t, K>>& got,
                         const std::vector<std::array<std::uint32_t, K>>& expected) {
  if (got.size() != points.size() || expected.size() != points.size()) {
    return false;
  }
  constexpr std::uint32_t k_none = nearest_list<K>::k_none;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < K; ++k) {
      const std::uint32_t a = got[i][k];
      const std::uint32_t b = expected[i][k];
      if ((a == k_none) != (b == k_none)) {
        return false;
      }
      if (a == k_none) {
        continue;
      }
      if (a >= points.size() || a == i ||
          std::find(got[i].begin(), got[i].begin() + k, a) != got[i].begin() + k ||
          squared_distance(points[i], points[a]) != squared_distance(points[i], points[b])) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace takt::bench::pbbs
