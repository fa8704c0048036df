#include <functional>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "idle/config.hpp"

namespace takt::bench {
namespace {

using problem = idle_problem;
using rows = tbb::blocked_range<std::int64_t>;

const enrol<problem> outermost("tbb", [](const problem::input& in, problem::answer& out) {
  out.sum = tbb::parallel_reduce(
      rows(0, problem::k_rows), 0.0,
      [](const rows& part, double sum) {
        for (std::int64_t row = part.begin(); row != part.end(); ++row) {
          for (std::int64_t col = 0; col < problem::k_cols; ++col) {
            sum += problem::term(row, col);
          }
        }
        return sum;
      },
      std::plus<>{});
  out.idle_cpu = problem::cpu_used_by_nap(in);
});

}  // namespace
}  // namespace takt::bench
