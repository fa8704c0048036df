#ifndef TAKT_BENCH_HBC_SRAD_H
#define TAKT_BENCH_HBC_SRAD_H

#include "hbc/hbc.h"

// `rounds` rounds of speckle-reducing anisotropic diffusion (Rodinia's srad).
struct hbc_srad {
  int64_t rows;
  int64_t cols;
  int64_t rounds;
  double lambda;
  double *image;  // rows * cols, in and out, positive
  // Of each pixel: the differences to its neighbours, and the diffusion coefficient.
  double *north;
  double *south;
  double *west;
  double *east;
  double *coefficient;
};

#endif
