#include <takt/algorithms/reduce.hpp>

#include "harness/touching.hpp"
#include "reduce/config.hpp"

namespace takt::bench {
namespace {

const enrol<reduce_problem> parts("takt", [](const reduce_problem::input& in, double& out) {
  out = takt::transform_reduce(in, 0.0, std::plus<>{}, touching{});
});

}  // namespace
}  // namespace takt::bench
