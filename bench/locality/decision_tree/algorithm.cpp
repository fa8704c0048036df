#include "decision_tree/config.hpp"

#include <cmath>

#include "locality/partition.hpp"

namespace takt::bench {
namespace {

using problem = decision_tree_problem;
using row = problem::row;
using node = problem::node;

// The leaf kernel of a histogram.
constexpr std::size_t k_block = 256;

struct histogram {
  std::array<std::uint32_t, problem::k_bins> rows{};
  std::array<std::uint32_t, problem::k_bins> second{};
};

struct split {
  double impurity = 2;
  int attribute = -1;
  std::size_t bin = 0;  // those in it and below go left
};

// Bins of an attribute are of equal width.
struct bins {
  double least;
  double per_unit;
  bins(const problem::input& in, std::size_t a)
      : least(in.least[a]),
        per_unit(static_cast<double>(problem::k_bins) / std::max(in.most[a] - in.least[a], 1e-30)) {}
  std::size_t of(double x) const {
    return std::min(static_cast<std::size_t>((x - least) * per_unit), problem::k_bins - 1);
  }
};

// Twice the chance that two rows of a part differ, times the part's size.
double gini(double rows, double second) { return rows == 0 ? 0 : 2 * second * (rows - second) / rows; }

void look_for_split(const histogram& h, int attribute, const node& all, split& best) {
  double rows = 0;
  double second = 0;
  for (std::size_t bin = 0; bin + 1 < problem::k_bins; ++bin) {
    rows += h.rows[bin];
    second += h.second[bin];
    if (rows == 0 || rows == all.rows) {
      continue;
    }
    const double impurity = (gini(rows, second) + gini(all.rows - rows, all.second - second)) / all.rows;
    if (impurity < best.impurity) {
      best = {impurity, attribute, bin};
    }
  }
}

histogram histogram_of(const problem::input& in, const row* rows, std::size_t count, std::size_t a,
                       par::affinity& same) {
  const bins where(in, a);
  return par::sum<histogram>((count + k_block - 1) / k_block, count * sizeof *rows, same,
                             [=](histogram& h, std::size_t block) {
                               const std::size_t begin = block * k_block;
                               const std::size_t end = std::min(begin + k_block, count);
                               par::touch(rows + begin, (end - begin) * sizeof *rows);
                               for (std::size_t i = begin; i < end; ++i) {
                                 const std::size_t bin = where.of(rows[i].attribute[a]);
                                 ++h.rows[bin];
                                 h.second[bin] += static_cast<std::uint32_t>(rows[i].is_second);
                               }
                             },
                             [](histogram& into, const histogram& h) {
                               for (std::size_t bin = 0; bin < problem::k_bins; ++bin) {
                                 into.rows[bin] += h.rows[bin];
                                 into.second[bin] += h.second[bin];
                               }
                             });
}

std::unique_ptr<node> build(const problem::input& in, row* rows, row* other, std::size_t count, int depth) {
  par::affinity same;
  auto made = std::make_unique<node>(node{.rows = static_cast<std::uint32_t>(count), .second = 0});
  split best;
  for (std::size_t a = 0; a < problem::k_attributes; ++a) {
    const histogram h = histogram_of(in, rows, count, a, same);
    if (a == 0) {
      for (const std::uint32_t n : h.second) {
        made->second += n;
      }
      if (count < problem::k_leaf || depth == problem::k_deepest || made->second == 0 || made->second == count) {
        return made;
      }
    }
    look_for_split(h, static_cast<int>(a), *made, best);
  }
  if (best.attribute < 0 || best.impurity >= gini(made->rows, made->second) / made->rows) {
    return made;
  }
  const auto a = static_cast<std::size_t>(best.attribute);
  const bins where(in, a);
  const std::size_t left = partition(
      rows, other, count, same, [&where, a, bin = best.bin](const row& r) { return where.of(r.attribute[a]) <= bin; });
  made->attribute = best.attribute;
  made->below = where.least + static_cast<double>(best.bin + 1) / where.per_unit;
  // How deep a part will go nobody knows.
  par::fork(
      static_cast<double>(left), static_cast<double>(count - left), 2 * count * sizeof *rows,
      [&] { made->left = build(in, other, rows, left, depth + 1); },
      [&] { made->right = build(in, other + left, rows + left, count - left, depth + 1); });
  return made;
}

const enrol<problem> program(par::k_system, [](const problem::input& in, problem::answer& out) {
  par::root([&] { out.root = build(in, out.rows.data(), out.other.data(), out.rows.size(), 0); });
});

}  // namespace
}  // namespace takt::bench
