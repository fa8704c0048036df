#include "sudoku/config.hpp"

namespace takt::bench {
namespace {

using problem = sudoku_problem;

// One board for the whole search.
[[gnu::noinline]] bool solve(problem::board& b) {
  const std::size_t at = b.first_empty();
  if (at == problem::k_cells) {
    return true;
  }
  for (int digit = 1; digit <= problem::k_digits; ++digit) {
    if (b.may_have(at, digit)) {
      b.put(at, digit);
      if (solve(b)) {
        return true;
      }
      b.flip(at, digit);
      b.cells[at] = 0;
    }
  }
  return false;
}

const enrol<problem> serial("serial", [](const problem::input& in, problem::answer& out) {
  problem::board b = in;
  if (solve(b)) {
    out = b.cells;
  }
});

}  // namespace
}  // namespace takt::bench
