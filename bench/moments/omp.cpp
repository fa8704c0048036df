#include "moments/config.hpp"

namespace takt::bench {
namespace {

#pragma omp declare reduction(append : moments_problem::seen : omp_out.append(omp_in))

const enrol<moments_problem> loop("omp", [](const moments_problem::input& in, moments_problem::answer& out) {
  const double* from = in.data();
  const std::size_t count = in.size();
  moments_problem::seen all;
#pragma omp parallel for reduction(append : all)
  for (std::size_t k = 0; k < count; ++k) {
    all.add(from[k]);
  }
  out = all.result();
});

}  // namespace
}  // namespace takt::bench
