#ifndef TAKT_BENCH_HBC_CC_H
#define TAKT_BENCH_HBC_CC_H

#include "hbc/hbc.h"

// Connected components by label propagation: the label of each is its smallest vertex.
struct hbc_cc {
  struct hbc_graph graph;  // every link in both directions
  int32_t *label;          // out
  int32_t *next;
};

#endif
