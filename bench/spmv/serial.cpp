#include "spmv/config.hpp"

namespace takt::bench {
namespace {

void multiply(const spmv_problem::input& in, std::vector<double>& out) {
  const csr_view a(in.matrix);
  const double* x = in.x.data();
  double* y = out.data();
  for (std::int64_t r = 0; r < a.rows; ++r) {
    double sum = 0.0;
    for (std::int64_t k = a.row_begin[r]; k < a.row_begin[r + 1]; ++k) {
      sum += a.value[k] * x[a.col[k]];
    }
    y[r] = sum;
  }
}

const enrol<spmv_problem> serial("serial", multiply);

}  // namespace
}  // namespace takt::bench
