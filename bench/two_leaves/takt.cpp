#include "two_leaves/config.hpp"

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

using problem = leaves_problem;

void run(const problem::input& in, problem::answer& out) {
  auto [left, right] = takt::fork_join([&] { return problem::leaf(1, in.steps); },
                                       [&] { return problem::leaf(2, in.steps); });
  out = {left, right};
}

const enrol<two_leaves_problem> cold("takt", run);
const enrol<two_long_leaves_problem> long_leaves("takt", run);

}  // namespace
}  // namespace takt::bench
