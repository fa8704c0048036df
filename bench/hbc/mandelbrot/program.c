#include "hbc/mandelbrot/program.h"

static int32_t escape(double re, double im, int32_t most) {
  double x = 0.0;
  double y = 0.0;
  int32_t n = 0;
  while (n < most && x * x + y * y <= 4.0) {
    const double next = x * x - y * y + re;
    y = 2.0 * x * y + im;
    x = next;
    ++n;
  }
  return n;
}

void HBC_ENTRY(mandelbrot)(const struct hbc_mandelbrot *a) {
  const int64_t rows = a->rows;
  const int64_t cols = a->cols;
  const int32_t most = a->most;
  int32_t *steps = a->steps;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t i = 0; i < rows; ++i) {
    const double im = -1.25 + 2.5 * (double)i / (double)rows;
    HBC_INNER(parallel for)
    for (int64_t j = 0; j < cols; ++j) {
      const double re = -2.0 + 2.5 * (double)j / (double)cols;
      steps[i * cols + j] = escape(re, im, most);
    }
  }
}
