#include "harness/omp_support.hpp"
#include "two_leaves/config.hpp"

namespace takt::bench {
namespace {

using problem = two_leaves_problem;

const enrol<problem> tasks("omp", [](const problem::input& in, problem::answer& out) {
  omp_root([&] {
#pragma omp task shared(in, out)
    out.right = problem::leaf(2, in.steps);
    out.left = problem::leaf(1, in.steps);
#pragma omp taskwait
  });
});

}  // namespace
}  // namespace takt::bench
