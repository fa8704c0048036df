#ifndef TAKT_BENCH_HBC_CF_H
#define TAKT_BENCH_HBC_CF_H

#include "hbc/hbc.h"

// GraphIt's number of latent features.
enum { hbc_cf_features = 20 };

// Collaborative filtering: `rounds` steps of gradient descent that make the scalar product of
// two vertices' features predict the rating of the link between them.
struct hbc_cf {
  struct hbc_graph graph;
  const double *rating;  // of each link
  int64_t rounds;
  double step;
  double lambda;
  double *latent;  // vertices * features, in; out if the number of rounds is even
  double *next;    // out if it is odd
};

#endif
