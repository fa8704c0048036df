#ifndef TAKT_BENCH_HBC_TTV_H
#define TAKT_BENCH_HBC_TTV_H

#include "hbc/hbc.h"

// A(i, j) = sum over k of B(i, j, k) c(k), for the fibres that B has; `rounds` times.
struct hbc_ttv {
  struct hbc_tensor tensor;
  int64_t rounds;
  const double *vector;
  double *result;  // one entry per fibre
};

#endif
