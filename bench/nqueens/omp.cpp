#include <numeric>

#include "harness/omp_support.hpp"
#include "nqueens/config.hpp"

namespace takt::bench {
namespace {

using board = nqueens_problem::board;

long place(int n, int row, const board& queens) {
  if (row == n) {
    return 1;
  }
  std::array<long, nqueens_problem::k_largest> solutions{};
  for (int col = 0; col < n; ++col) {
    if (nqueens_problem::is_safe(queens, row, col)) {
      board next = queens;
      next[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(col);
#pragma omp task shared(solutions) firstprivate(n, row, col, next)
      solutions[static_cast<std::size_t>(col)] = place(n, row + 1, next);
    }
  }
#pragma omp taskwait
  return std::accumulate(solutions.begin(), solutions.end(), 0L);
}

const enrol<nqueens_problem> tasks("omp", [](const nqueens_problem::input& in, long& out) {
  omp_root([&] { out = place(in.n, 0, board{}); });
});

}  // namespace
}  // namespace takt::bench
