#include <tbb/task_group.h>

#include "two_leaves/config.hpp"

namespace takt::bench {
namespace {

using problem = leaves_problem;

void run(const problem::input& in, problem::answer& out) {
  tbb::task_group group;
  group.run([&] { out.right = problem::leaf(2, in.steps); });
  out.left = problem::leaf(1, in.steps);
  group.wait();
}

const enrol<two_leaves_problem> cold("tbb", run);
const enrol<two_long_leaves_problem> long_leaves("tbb", run);

}  // namespace
}  // namespace takt::bench
