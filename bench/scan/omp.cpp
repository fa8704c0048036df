#include "scan/config.hpp"

namespace takt::bench {
namespace {

void scan(const scan_problem::input& in, scan_problem::answer& out) {
  const std::uint64_t* from = in.data();
  std::uint64_t* to = out.data();
  const std::size_t count = in.size();
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (std::size_t k = 0; k < count; ++k) {
    sum += from[k];
#pragma omp scan inclusive(sum)
    to[k] = sum;
  }
}

const enrol<scan_problem> loop("omp", scan);

}  // namespace
}  // namespace takt::bench
