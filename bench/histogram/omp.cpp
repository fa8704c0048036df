#include "histogram/config.hpp"

namespace takt::bench {
namespace {

void histogram(const histogram_problem::input& in, histogram_problem::answer& out) {
  const std::uint32_t* from = in.data();
  const std::size_t count = in.size();
  std::size_t counters[histogram_problem::k_buckets] = {};
#pragma omp parallel for reduction(+ : counters)
  for (std::size_t k = 0; k < count; ++k) {
    ++counters[from[k]];
  }
  out.assign(counters, counters + histogram_problem::k_buckets);
}

const enrol<histogram_problem> loop("omp", histogram);

}  // namespace
}  // namespace takt::bench
