#include <takt/algorithms/reduce.hpp>

#include "reduce_fixed/config.hpp"

namespace takt::bench {
namespace {

const enrol<reduce_fixed_problem> parts("takt", [](const reduce_fixed_problem::input& in, double& out) {
  out = takt::reduce(takt::deterministic, in, 0.0);
});

}  // namespace
}  // namespace takt::bench
