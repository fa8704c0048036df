#ifndef TAKT_BENCH_HBC_MANDELBULB_H
#define TAKT_BENCH_HBC_MANDELBULB_H

#include "hbc/hbc.h"

// The steps in which each point of the cube [-1.2, 1.2]^3 escapes under z -> z^8 + c, at most
// `most`.
struct hbc_mandelbulb {
  int64_t side;
  int32_t most;
  int32_t *steps;  // side * side * side
};

#endif
