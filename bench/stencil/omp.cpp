#include "harness/omp_support.hpp"
#include "stencil/config.hpp"

namespace takt::bench {
namespace {

// Rows: OpenMP's loops know no tiles before version 5.1.
const enrol_omp_loops<stencil_problem> rows(
    []<schedule S>(const stencil_problem::input& in, stencil_problem::answer& out) {
      const std::int64_t n = in.side;
      stencil_problem::run(out, [n](const double* from, double* to) {
        omp_outer_loop<S>(n - 2, [=](std::int64_t r) { stencil_problem::sweep(n, from, to, r + 1, r + 2, 1, n - 1); });
      });
    });

}  // namespace
}  // namespace takt::bench
