#include <takt/algorithms/reduce.hpp>

#include "harness/touching.hpp"
#include "reduce_fixed/config.hpp"

namespace takt::bench {
namespace {

const enrol<reduce_fixed_problem> parts("takt", [](const reduce_fixed_problem::input& in, double& out) {
  out = takt::transform_reduce(takt::deterministic, in, 0.0, std::plus<>{}, touching{});
});

}  // namespace
}  // namespace takt::bench
