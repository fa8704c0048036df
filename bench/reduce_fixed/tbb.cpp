#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "reduce_fixed/config.hpp"

namespace takt::bench {
namespace {

void sum(const reduce_fixed_problem::input& in, double& out) {
  using part = tbb::blocked_range<std::size_t>;
  // It always splits down to the grain, which must therefore be given.
  out = tbb::parallel_deterministic_reduce(
      part(0, in.size(), 2048), 0.0,
      [&](const part& some, double total) {
        for (std::size_t k = some.begin(); k != some.end(); ++k) {
          total += in[k];
        }
        return total;
      },
      std::plus<>{});
}

const enrol<reduce_fixed_problem> tasks("tbb", sum);

}  // namespace
}  // namespace takt::bench
