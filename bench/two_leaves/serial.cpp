#include "two_leaves/config.hpp"

namespace takt::bench {
namespace {

using problem = leaves_problem;

void run(const problem::input& in, problem::answer& out) {
  out.left = problem::leaf(1, in.steps);
  out.right = problem::leaf(2, in.steps);
}

const enrol<two_leaves_problem> cold("serial", run);
const enrol<two_long_leaves_problem> long_leaves("serial", run);

}  // namespace
}  // namespace takt::bench
