#include "harness/omp_support.hpp"
#include "idle/config.hpp"

namespace takt::bench {
namespace {

using problem = idle_problem;

const enrol_omp_loops<problem> loops(
    []<schedule S>(const problem::input& in, problem::answer& out) {
      out.sum = omp_outer_sum<S>(problem::k_rows, [](std::int64_t row) {
        return omp_inner_sum<S>(0, problem::k_cols,
                                [=](std::int64_t col) { return problem::term(row, col); });
      });
      out.idle_cpu = problem::cpu_used_by_nap(in);
    });

}  // namespace
}  // namespace takt::bench
