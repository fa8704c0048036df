#ifndef TAKT_BENCH_HBC_FLOYD_WARSHALL_H
#define TAKT_BENCH_HBC_FLOYD_WARSHALL_H

#include "hbc/hbc.h"

// Shortest distances between all pairs of vertices, in place. No distance is negative.
struct hbc_floyd_warshall {
  int64_t vertices;
  int32_t *distance;  // vertices * vertices, 0 on the diagonal, at most INT32_MAX / 2
};

#endif
