#ifndef TAKT_BENCH_HBC_PR_DELTA_H
#define TAKT_BENCH_HBC_PR_DELTA_H

#include "hbc/hbc.h"

// PageRank that hands on changes only (GraphIt's PageRankDelta): a vertex is active in a round
// if its rank changed by more than `least` of itself in the one before. At most `rounds` rounds.
struct hbc_pr_delta {
  struct hbc_graph graph;
  int64_t rounds;
  double damping;
  double least;
  const int32_t *links_out;  // of each vertex
  double *rank;              // out
  double *delta;
  double *given;  // what a vertex gives to each it links to; 0 if it is not active
};

#endif
