#ifndef TAKT_BENCH_HBC_PR_H
#define TAKT_BENCH_HBC_PR_H

#include "hbc/hbc.h"

// `rounds` rounds of PageRank by pulling.
struct hbc_pr {
  struct hbc_graph graph;
  int64_t rounds;
  double damping;
  const int32_t *links_out;  // of each vertex
  double *rank;              // out
  double *given;             // what a vertex gives to each it links to
  double *change;            // per round: the sum of all changes without their signs
};

#endif
