#ifndef TAKT_BENCH_HBC_SPMV_H
#define TAKT_BENCH_HBC_SPMV_H

#include "hbc/hbc.h"

// y = A x, `rounds` times.
struct hbc_spmv {
  struct hbc_matrix matrix;
  int64_t rounds;
  const double *x;
  double *y;
};

#endif
