#include <takt/algorithms/reduce.hpp>

#include "reduce/config.hpp"

namespace takt::bench {
namespace {

const enrol<reduce_problem> parts("takt", [](const reduce_problem::input& in, double& out) {
  out = takt::reduce(in, 0.0);
});

}  // namespace
}  // namespace takt::bench
