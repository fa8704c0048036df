#include "harness/omp_support.hpp"
#include "sudoku/config.hpp"

namespace takt::bench {
namespace {

using problem = sudoku_problem;

void visit(problem::search& s, const problem::board& b) {
  problem::visit(s, b, [&](const problem::board& next) {
    // A task may begin when this call is over: it gets the address, not the parameter.
    problem::search* const whole = &s;
#pragma omp task firstprivate(whole, next)
    visit(*whole, next);
  });
}

// The end of the region waits for all tasks.
const enrol<problem> tasks("omp", [](const problem::input& in, problem::answer& out) {
  problem::search s{out};
  omp_root([&] { visit(s, in); });
});

}  // namespace
}  // namespace takt::bench
