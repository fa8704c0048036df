#include "two_leaves/config.hpp"

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

using problem = two_leaves_problem;

const enrol<problem> fork("takt", [](const problem::input& in, problem::answer& out) {
  auto [left, right] = takt::fork_join([&] { return problem::leaf(1, in.steps); },
                                       [&] { return problem::leaf(2, in.steps); });
  out = {left, right};
});

}  // namespace
}  // namespace takt::bench
