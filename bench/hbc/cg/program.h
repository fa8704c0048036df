#ifndef TAKT_BENCH_HBC_CG_H
#define TAKT_BENCH_HBC_CG_H

#include "hbc/hbc.h"

// NAS CG: `rounds` steps of inverse iteration, each with `steps` steps of conjugate gradients on
// a symmetric positive definite matrix. zeta is an estimate of shift + its smallest eigenvalue.
struct hbc_cg {
  struct hbc_matrix matrix;
  int64_t rounds;
  int64_t steps;
  double shift;
  double *x;  // all of one entry a row
  double *z;
  double *p;
  double *q;
  double *r;
  double *zeta;  // one number
};

#endif
