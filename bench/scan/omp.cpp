#include <omp.h>

#include "scan/config.hpp"

namespace takt::bench {
namespace {

// Two passes: each thread sums its part, then scans it. (GCC 12 warns of its own code for reduction(inscan).)
void scan(const scan_problem::input& in, scan_problem::answer& out) {
  const std::size_t count = in.size();
  std::vector<std::uint64_t> before(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto mine = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = count * mine / threads;
    const std::size_t end = count * (mine + 1) / threads;
    std::uint64_t sum = 0;
    for (std::size_t k = begin; k < end; ++k) {
      sum += in[k];
    }
    before[mine + 1] = sum;
#pragma omp barrier
#pragma omp single
    for (std::size_t t = 0; t < threads; ++t) {
      before[t + 1] += before[t];
    }
    sum = before[mine];
    for (std::size_t k = begin; k < end; ++k) {
      sum += in[k];
      out[k] = sum;
    }
  }
}

const enrol<scan_problem> threads("omp", scan);

}  // namespace
}  // namespace takt::bench
