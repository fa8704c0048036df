#include "reduce_fixed/config.hpp"

namespace takt::bench {
namespace {

void sum(const reduce_fixed_problem::input& in, double& out) {
  double total = 0;
  for (const double x : in) {
    total += x;
  }
  out = total;
}

const enrol<reduce_fixed_problem> serial("serial", sum);

}  // namespace
}  // namespace takt::bench
