#include <numeric>

#include <tbb/task_group.h>

#include "nqueens/config.hpp"

namespace takt::bench {
namespace {

using board = nqueens_problem::board;

long place(int n, int row, const board& queens) {
  if (row == n) {
    return 1;
  }
  std::array<long, nqueens_problem::k_largest> solutions{};
  tbb::task_group group;
  for (int col = 0; col < n; ++col) {
    if (nqueens_problem::is_safe(queens, row, col)) {
      board next = queens;
      next[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(col);
      long& result = solutions[static_cast<std::size_t>(col)];
      group.run([n, row, next, &result] { result = place(n, row + 1, next); });
    }
  }
  group.wait();
  return std::accumulate(solutions.begin(), solutions.end(), 0L);
}

const enrol<nqueens_problem> tasks("tbb", [](const nqueens_problem::input& in, long& out) {
  out = place(in.n, 0, board{});
});

}  // namespace
}  // namespace takt::bench
