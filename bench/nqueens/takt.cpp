#include "nqueens/config.hpp"

#include <functional>

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

using board = nqueens_problem::board;

[[gnu::noinline]] long place(int n, int row, const board& queens) {
  if (row == n) {
    return 1;
  }
  return takt::parallel_reduce(
      0, n, 0L,
      [=, &queens](int col) -> long {
        if (!nqueens_problem::is_safe(queens, row, col)) {
          return 0;
        }
        takt::touch(&queens, sizeof queens);
        board next = queens;
        next[static_cast<std::size_t>(row)] = static_cast<std::int8_t>(col);
        return place(n, row + 1, next);
      },
      std::plus<>{});
}

const enrol<nqueens_problem> loops("takt", [](const nqueens_problem::input& in, long& out) {
  out = place(in.n, 0, board{});
});

}  // namespace
}  // namespace takt::bench
