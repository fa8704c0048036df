#include "harness/omp_support.hpp"
#include "two_leaves/config.hpp"

namespace takt::bench {
namespace {

using problem = leaves_problem;

void run(const problem::input& in, problem::answer& out) {
  omp_root([&] {
#pragma omp task shared(in, out)
    out.right = problem::leaf(2, in.steps);
    out.left = problem::leaf(1, in.steps);
#pragma omp taskwait
  });
}

const enrol<two_leaves_problem> cold("omp", run);
const enrol<two_long_leaves_problem> long_leaves("omp", run);

}  // namespace
}  // namespace takt::bench
