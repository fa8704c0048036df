#ifndef TAKT_BENCH_HBC_TTM_H
#define TAKT_BENCH_HBC_TTM_H

#include "hbc/hbc.h"

// A(i, j, l) = sum over k of B(i, j, k) C(l, k), for the fibres that B has; `rounds` times.
struct hbc_ttm {
  struct hbc_tensor tensor;
  int64_t rounds;
  int64_t rows;  // of C
  int64_t cols;
  const double *matrix;  // rows * cols
  double *result;        // rows entries per fibre
};

#endif
