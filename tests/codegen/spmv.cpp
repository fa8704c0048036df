// The product of a sparse matrix, both loop levels parallel: many values are alive in the loop over rows. See
// check_rows.
#include <takt/takt.hpp>

#include <cstdint>
#include <functional>

void multiply(std::int64_t rows, const std::int64_t* row_begin, const std::int32_t* column, const double* value,
              const double* x, double* y) {
  takt::parallel_for(std::int64_t{0}, rows, [=](std::int64_t r) {
    y[r] = takt::parallel_reduce(
        row_begin[r], row_begin[r + 1], 0.0, [=](std::int64_t k) { return value[k] * x[column[k]]; }, std::plus<>{});
  });
}
