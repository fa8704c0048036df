#include "quicksort/config.hpp"

#include <bit>
#include <cmath>

#include "locality/partition.hpp"

namespace takt::bench {
namespace {

double median_of_first(const double* a) { return std::max(std::min(a[0], a[1]), std::min(std::max(a[0], a[1]), a[2])); }

void sort_leaf(double* from, double* to, std::size_t count) {
  // A sort goes through its data as often as it halves.
  for (auto round = std::bit_width(count); round > 0; --round) {
    par::touch(from, count * sizeof *from);
  }
  std::sort(from, from + count);
  if (from != to) {
    par::touch(to, count * sizeof *to);
    std::copy(from, from + count, to);
  }
}

double work_of(std::size_t count) {
  const auto n = static_cast<double>(count);
  return n * std::log2(n + 2);
}

// What is in `from` comes sorted to `to`, which is `from` itself or `other`.
void sort(double* from, double* other, double* to, std::size_t count) {
  if (count <= quicksort_problem::k_leaf) {
    sort_leaf(from, to, count);
    return;
  }
  const double pivot = median_of_first(from);
  par::affinity same;
  const std::size_t left = partition(from, other, count, same, [pivot](double x) { return x < pivot; });
  if (left == 0) {
    // Equal numbers came first.
    sort_leaf(from, to, count);
    return;
  }
  par::fork(
      work_of(left), work_of(count - left), 2 * count * sizeof *from, [=] { sort(other, from, to, left); },
      [=] { sort(other + left, from + left, to + left, count - left); });
}

const enrol<quicksort_problem> program(par::k_system, [](const quicksort_problem::input& /*in*/,
                                                         quicksort_problem::answer& out) {
  double* const numbers = out.numbers.data();
  par::root([&] { sort(numbers, out.other.data(), numbers, out.numbers.size()); });
});

}  // namespace
}  // namespace takt::bench
