#include "kdtree/config.hpp"

#include <cmath>

#include "locality/partition.hpp"

namespace takt::bench {
namespace {

using point = kdtree_problem::point;
using node = kdtree_problem::node;

double work_of(std::size_t count) {
  const auto n = static_cast<double>(count);
  return n * std::log2(n / kdtree_problem::k_leaf + 2);
}

std::unique_ptr<node> build(point* from, point* other, std::size_t count, unsigned axis) {
  auto made = std::make_unique<node>(node{.first = from, .count = count});
  if (count < kdtree_problem::k_leaf) {
    return made;
  }
  const double a = from[0][axis];
  const double b = from[1][axis];
  const double c = from[2][axis];
  const double pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
  par::affinity same;
  const std::size_t left = partition(from, other, count, same, [=](const point& p) { return p[axis] < pivot; });
  if (left == 0) {
    // Equal numbers came first.
    return made;
  }
  made->split = pivot;
  par::fork(
      work_of(left), work_of(count - left), 2 * count * sizeof *from,
      [&] { made->left = build(other, from, left, (axis + 1) % 3); },
      [&] { made->right = build(other + left, from + left, count - left, (axis + 1) % 3); });
  return made;
}

const enrol<kdtree_problem> program(par::k_system, [](const kdtree_problem::input& /*in*/,
                                                      kdtree_problem::answer& out) {
  par::root([&] { out.root = build(out.points.data(), out.other.data(), out.points.size(), 0); });
});

}  // namespace
}  // namespace takt::bench
