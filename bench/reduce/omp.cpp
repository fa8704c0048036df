#include "reduce/config.hpp"

namespace takt::bench {
namespace {

void sum(const reduce_problem::input& in, double& out) {
  const double* from = in.data();
  const std::size_t count = in.size();
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (std::size_t k = 0; k < count; ++k) {
    total += from[k];
  }
  out = total;
}

const enrol<reduce_problem> loop("omp", sum);

}  // namespace
}  // namespace takt::bench
