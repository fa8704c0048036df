#include "spmv/config.hpp"

#include <cstdint>
#include <functional>

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

void multiply(const spmv_problem::input& in, std::vector<double>& out) {
  const csr_view a(in.matrix);
  const double* x = in.x.data();
  double* y = out.data();
  takt::parallel_for(std::int64_t{0}, a.rows, [=](std::int64_t r) {
    y[r] = takt::parallel_reduce(
        a.row_begin[r], a.row_begin[r + 1], 0.0,
        [=](std::int64_t k) {
          takt::touch(&a.value[k], sizeof a.value[k]);
          takt::touch(&a.col[k], sizeof a.col[k]);
          takt::touch(&x[a.col[k]], sizeof *x);
          return a.value[k] * x[a.col[k]];
        },
        std::plus<>{});
  });
}

const enrol<spmv_problem> loops("takt", multiply);

}  // namespace
}  // namespace takt::bench
