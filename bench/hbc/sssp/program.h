#ifndef TAKT_BENCH_HBC_SSSP_H
#define TAKT_BENCH_HBC_SSSP_H

#include "hbc/hbc.h"

// Shortest distances from a root by Bellman and Ford's algorithm, pulling: in each round every
// vertex looks at those whose distance changed in the one before.
struct hbc_sssp {
  struct hbc_graph graph;
  const int32_t *length;  // of each link, positive
  int32_t root;
  int32_t *distance;  // out; INT32_MAX: not reached
  int32_t *next;
  // One byte per vertex: whether its distance changed in the last round.
  unsigned char *changed;
  unsigned char *changes;
};

#endif
