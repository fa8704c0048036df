#include "two_leaves/config.hpp"

namespace takt::bench {
namespace {

using problem = two_leaves_problem;

const enrol<problem> serial("serial", [](const problem::input& in, problem::answer& out) {
  out.left = problem::leaf(1, in.steps);
  out.right = problem::leaf(2, in.steps);
});

}  // namespace
}  // namespace takt::bench
