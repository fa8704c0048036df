#ifndef TAKT_BENCH_HBC_PLUS_REDUCE_ARRAY_H
#define TAKT_BENCH_HBC_PLUS_REDUCE_ARRAY_H

#include "hbc/hbc.h"

// The sum of an array, once per round.
struct hbc_plus_reduce_array {
  int64_t elements;
  int64_t rounds;
  const double *element;
  double *sum;  // rounds
};

#endif
