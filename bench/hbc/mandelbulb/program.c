#include "hbc/mandelbulb/program.h"

#include <math.h>

static int32_t escape(double cx, double cy, double cz, int32_t most) {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  int32_t n = 0;
  for (; n < most; ++n) {
    const double square = x * x + y * y + z * z;
    if (square > 4.0) {
      break;
    }
    const double theta = 8.0 * atan2(sqrt(x * x + y * y), z);
    const double phi = 8.0 * atan2(y, x);
    const double fourth = square * square;
    const double power = fourth * fourth;
    x = power * sin(theta) * cos(phi) + cx;
    y = power * sin(theta) * sin(phi) + cy;
    z = power * cos(theta) + cz;
  }
  return n;
}

void HBC_ENTRY(mandelbulb)(const struct hbc_mandelbulb *a) {
  const int64_t side = a->side;
  const int32_t most = a->most;
  const double step = 2.4 / (double)side;
  int32_t *steps = a->steps;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t i = 0; i < side; ++i) {
    HBC_INNER(parallel for)
    for (int64_t j = 0; j < side; ++j) {
      HBC_INNER(parallel for)
      for (int64_t k = 0; k < side; ++k) {
        steps[(i * side + j) * side + k] =
            escape(-1.2 + step * (double)i, -1.2 + step * (double)j, -1.2 + step * (double)k, most);
      }
    }
  }
}
