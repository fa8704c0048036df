// kdtree: a k-d tree of points, by partitions in parallel from one array to another; the pivot is the median of the
// first three along an axis that changes with each level (ADWS paper, section 6.2).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct kdtree_problem {
  static constexpr problem_info info{.name = "kdtree",
                                     .about = "a k-d tree of points in space",
                                     .form = kind::forks,
                                     .size_unit = "points",
                                     .size_default = 500'000,
                                     .size_min = 1,
                                     .size_max = 100'000'000,
                                     .group = "locality"};
  using point = std::array<double, 3>;
  struct node {
    const point* first;  // of a leaf; its points lie in one of the two arrays
    std::size_t count;
    double split = 0;
    std::unique_ptr<node> left{};  // none: a leaf
    std::unique_ptr<node> right{};
  };
  using input = std::vector<point>;
  struct answer {
    std::vector<point> points;
    std::vector<point> other;  // the second array
    std::unique_ptr<node> root;
  };

  // Fewer points are a leaf: 4 KiB.
  static constexpr std::size_t k_leaf = 4096 / sizeof(point);

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(12);
    for (point& p : in) {
      p = {random.unit(), random.unit(), random.unit()};
    }
    return in;
  }
  static void reset(const input& in, answer& a) {
    a.points = in;
    a.other.resize(in.size());
    a.root.reset();
  }
  static bool same_tree(const node* a, const node* b) {
    if (a == nullptr || b == nullptr) {
      return a == b;
    }
    if (a->count != b->count || a->split != b->split || (a->left == nullptr) != (b->left == nullptr)) {
      return false;
    }
    if (a->left == nullptr) {
      return std::equal(a->first, a->first + a->count, b->first);
    }
    return same_tree(a->left.get(), b->left.get()) && same_tree(a->right.get(), b->right.get());
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return same_tree(got.root.get(), expected.root.get());
  }
};

}  // namespace takt::bench
