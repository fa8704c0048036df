#include "reduce_fixed/config.hpp"

namespace takt::bench {
namespace {

void sum(const reduce_fixed_problem::input& in, double& out) {
  // Blocks of one size, whoever sums them.
  constexpr std::size_t k_block = 2048;
  const std::size_t count = in.size();
  const std::size_t blocks = (count + k_block - 1) / k_block;
  std::vector<double> sums(blocks);
#pragma omp parallel for
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t end = count - b * k_block < k_block ? count : (b + 1) * k_block;
    double total = 0;
    for (std::size_t k = b * k_block; k < end; ++k) {
      total += in[k];
    }
    sums[b] = total;
  }
  double total = 0;
  for (const double s : sums) {
    total += s;
  }
  out = total;
}

const enrol<reduce_fixed_problem> loop("omp", sum);

}  // namespace
}  // namespace takt::bench
