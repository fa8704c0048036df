#include <functional>
#include <tbb/blocked_range.h>
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

const enrol<scan_problem> tasks("tbb", scan<std::uint64_t>);
const enrol<scan_doubles_problem> doubles("tbb", scan<double>);

}  // namespace
}  // namespace takt::bench
