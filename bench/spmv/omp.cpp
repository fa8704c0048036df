#include "harness/omp_support.hpp"
#include "spmv/config.hpp"

namespace takt::bench {
namespace {

const enrol_omp_loops<spmv_problem> loops(
    []<schedule S>(const spmv_problem::input& in, std::vector<double>& out) {
      const csr_view a(in.matrix);
      const double* x = in.x.data();
      double* y = out.data();
      omp_outer_loop<S>(a.rows, [=](std::int64_t r) {
        y[r] = omp_inner_sum<S>(a.row_begin[r], a.row_begin[r + 1],
                                [=](std::int64_t k) { return a.value[k] * x[a.col[k]]; });
      });
    });

}  // namespace
}  // namespace takt::bench
