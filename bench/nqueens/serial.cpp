#include "nqueens/config.hpp"

namespace takt::bench {
namespace {

using board = nqueens_problem::board;

// One board for the whole search: a serial program has no reason to copy it.
[[gnu::noinline]] long place(int n, int row, board& queens) {
  if (row == n) {
    return 1;
  }
  long solutions = 0;
  for (int col = 0; col < n; ++col) {
    if (nqueens_problem::is_safe(queens, row, col)) {
      queens[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(col);
      solutions += place(n, row + 1, queens);
    }
  }
  return solutions;
}

const enrol<nqueens_problem> serial("serial", [](const nqueens_problem::input& in, long& out) {
  board queens{};
  out = place(in.n, 0, queens);
});

}  // namespace
}  // namespace takt::bench
