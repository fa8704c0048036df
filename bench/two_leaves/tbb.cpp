#include <tbb/task_group.h>

#include "two_leaves/config.hpp"

namespace takt::bench {
namespace {

using problem = two_leaves_problem;

const enrol<problem> tasks("tbb", [](const problem::input& in, problem::answer& out) {
  tbb::task_group group;
  group.run([&] { out.right = problem::leaf(2, in.steps); });
  out.left = problem::leaf(1, in.steps);
  group.wait();
});

}  // namespace
}  // namespace takt::bench
