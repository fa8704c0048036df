#ifndef TAKT_BENCH_HBC_KMEANS_H
#define TAKT_BENCH_HBC_KMEANS_H

#include "hbc/hbc.h"

// Rodinia's numbers of clusters and features; constants, as its sums are an array reduction.
enum { hbc_kmeans_clusters = 5, hbc_kmeans_features = 34 };

// `rounds` rounds of Lloyd's algorithm.
struct hbc_kmeans {
  int64_t points;
  int64_t rounds;
  const double *point;  // points * features
  double *center;       // clusters * features, in and out
  int32_t *cluster;     // points, out
};

#endif
