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

// The serial elision of the parallel programs: each placement on a board of its own.
[[gnu::noinline]] long place_copied(int n, int row, const board& queens) {
  if (row == n) {
    return 1;
  }
  long solutions = 0;
  for (int col = 0; col < n; ++col) {
    if (nqueens_problem::is_safe(queens, row, col)) {
      board next = queens;
      next[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(col);
      solutions += place_copied(n, row + 1, next);
    }
  }
  return solutions;
}

const enrol<nqueens_problem> elision("elision", [](const nqueens_problem::input& in, long& out) {
  out = place_copied(in.n, 0, board{});
});

const enrol<nqueens_problem> serial("serial", [](const nqueens_problem::input& in, long& out) {
  board queens{};
  out = place(in.n, 0, queens);
});

}  // namespace
}  // namespace takt::bench
