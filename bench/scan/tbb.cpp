#include <algorithm>
#include <functional>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_scan.h>

#include "scan/config.hpp"

namespace takt::bench {
namespace {

template <class T>
void scan(const std::vector<T>& in, std::vector<T>& out) {
  using part = tbb::blocked_range<std::size_t>;
  tbb::parallel_scan(
      part(0, in.size()), T{0},
      [&](const part& some, T sum, bool is_final) {
        for (std::size_t k = some.begin(); k != some.end(); ++k) {
          sum += in[k];
          if (is_final) {
            out[k] = sum;
          }
        }
        return sum;
      },
      std::plus<>{});
}

// Blocks of one size, whoever scans them.
void scan_fixed(const std::vector<double>& in, std::vector<double>& out) {
  constexpr std::size_t k_block = 2048;
  const std::size_t count = in.size();
  std::vector<double> sums((count + k_block - 1) / k_block);
  const auto end_of = [&](std::size_t b) { return std::min(count, (b + 1) * k_block); };
  tbb::parallel_for(std::size_t{0}, sums.size(), [&](std::size_t b) {
    double sum = 0;
    for (std::size_t k = b * k_block; k < end_of(b); ++k) {
      sum += in[k];
    }
    sums[b] = sum;
  });
  std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), 0.0);
  tbb::parallel_for(std::size_t{0}, sums.size(), [&](std::size_t b) {
    double sum = sums[b];
    for (std::size_t k = b * k_block; k < end_of(b); ++k) {
      sum += in[k];
      out[k] = sum;
    }
  });
}

const enrol<scan_problem> tasks("tbb", scan<std::uint64_t>);
const enrol<scan_doubles_problem> doubles("tbb", scan<double>);
const enrol<scan_fixed_problem> fixed("tbb", scan_fixed);

}  // namespace
}  // namespace takt::bench
