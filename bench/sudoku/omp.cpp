#include "harness/omp_support.hpp"
#include "sudoku/config.hpp"

namespace takt::bench {
namespace {

using problem = sudoku_problem;

void visit(problem::search& s, const problem::board& b) {
  problem::visit(s, b, [&](const problem::board& next) {
#pragma omp task shared(s) firstprivate(next)
    visit(s, next);
  });
}

// The end of the region waits for all tasks.
const enrol<problem> tasks("omp", [](const problem::input& in, problem::answer& out) {
  problem::search s{out};
  omp_root([&] { visit(s, in); });
});

}  // namespace
}  // namespace takt::bench
