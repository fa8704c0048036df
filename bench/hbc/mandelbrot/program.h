#ifndef TAKT_BENCH_HBC_MANDELBROT_H
#define TAKT_BENCH_HBC_MANDELBROT_H

#include "hbc/hbc.h"

// The steps in which each point of [-2, 0.5] x [-1.25, 1.25] escapes, at most `most`.
struct hbc_mandelbrot {
  int64_t rows;
  int64_t cols;
  int32_t most;
  int32_t *steps;  // rows * cols
};

#endif
