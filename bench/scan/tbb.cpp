#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include "scan/config.hpp"

namespace takt::bench {
namespace {

void scan(const scan_problem::input& in, scan_problem::answer& out) {
  using part = tbb::blocked_range<std::size_t>;
  tbb::parallel_scan(
      part(0, in.size()), std::uint64_t{0},
      [&](const part& some, std::uint64_t sum, bool is_final) {
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

const enrol<scan_problem> tasks("tbb", scan);

}  // namespace
}  // namespace takt::bench
