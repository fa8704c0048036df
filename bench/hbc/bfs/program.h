#ifndef TAKT_BENCH_HBC_BFS_H
#define TAKT_BENCH_HBC_BFS_H

#include "hbc/hbc.h"

// Breadth-first search by pulling: every vertex without a parent looks for one in the frontier.
// The parent is the smallest that is as near to the root as any.
struct hbc_bfs {
  struct hbc_graph graph;
  int32_t root;
  int32_t *parent;  // out; -1: not reached; the root is its own
  // One byte per vertex: whether it is in the frontier.
  unsigned char *frontier;
  unsigned char *next;
};

#endif
