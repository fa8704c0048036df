#include <algorithm>
#include <numeric>
#include <omp.h>

#include "scan/config.hpp"

namespace takt::bench {
namespace {

// Two passes: each thread sums its part, then scans it. (GCC 12 warns of its own code for reduction(inscan).)
template <class T>
void scan(const std::vector<T>& in, std::vector<T>& out) {
  const std::size_t count = in.size();
  std::vector<T> before(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto mine = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = count * mine / threads;
    const std::size_t end = count * (mine + 1) / threads;
    T sum = 0;
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

// Blocks of one size, whoever scans them.
void scan_fixed(const std::vector<double>& in, std::vector<double>& out) {
  constexpr std::size_t k_block = 2048;
  const std::size_t count = in.size();
  std::vector<double> sums((count + k_block - 1) / k_block);
  const auto end_of = [&](std::size_t b) { return std::min(count, (b + 1) * k_block); };
#pragma omp parallel for
  for (std::size_t b = 0; b < sums.size(); ++b) {
    double sum = 0;
    for (std::size_t k = b * k_block; k < end_of(b); ++k) {
      sum += in[k];
    }
    sums[b] = sum;
  }
  std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), 0.0);
#pragma omp parallel for
  for (std::size_t b = 0; b < sums.size(); ++b) {
    double sum = sums[b];
    for (std::size_t k = b * k_block; k < end_of(b); ++k) {
      sum += in[k];
      out[k] = sum;
    }
  }
}

const enrol<scan_problem> threads("omp", scan<std::uint64_t>);
const enrol<scan_doubles_problem> doubles("omp", scan<double>);
const enrol<scan_fixed_problem> fixed("omp", scan_fixed);

}  // namespace
}  // namespace takt::bench
