#include "hbc/kmeans/program.h"

#include <math.h>

enum { clusters = hbc_kmeans_clusters, features = hbc_kmeans_features };

struct nearest {
  double distance;
  int64_t cluster;
};

// The first of those at the same distance, as a serial search finds it.
static struct nearest nearer(struct nearest a, struct nearest b) {
  if (b.distance < a.distance || (b.distance == a.distance && b.cluster < a.cluster)) {
    return b;
  }
  return a;
}
#pragma omp declare reduction(nearest : struct nearest : omp_out = nearer(omp_out, omp_in)) \
    initializer(omp_priv = (struct nearest){HUGE_VAL, INT64_MAX})

static struct nearest nearest_center(const double *x, const double *center) {
  struct nearest best = {HUGE_VAL, INT64_MAX};
  HBC_INNER(parallel for reduction(nearest : best))
  for (int64_t c = 0; c < clusters; ++c) {
    double distance = 0.0;
    HBC_INNER(parallel for reduction(+ : distance))
    for (int64_t f = 0; f < features; ++f) {
      const double difference = x[f] - center[c * features + f];
      distance += difference * difference;
    }
    best = nearer(best, (struct nearest){distance, c});
  }
  return best;
}

void HBC_ENTRY(kmeans)(const struct hbc_kmeans *a) {
  const int64_t points = a->points;
  const double *point = a->point;
  double *center = a->center;
  int32_t *cluster = a->cluster;
  for (int64_t round = 0; round < a->rounds; ++round) {
    double sum[clusters * features] = {0.0};
    int64_t members[clusters] = {0};
#pragma omp parallel for HBC_SCHEDULE reduction(+ : sum, members)
    for (int64_t p = 0; p < points; ++p) {
      const double *x = point + p * features;
      const int64_t c = nearest_center(x, center).cluster;
      cluster[p] = (int32_t)c;
      ++members[c];
      double *mine = sum + c * features;
      HBC_INNER(parallel for)
      for (int64_t f = 0; f < features; ++f) {
        mine[f] += x[f];
      }
    }
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t c = 0; c < clusters; ++c) {
      if (members[c] == 0) {
        continue;
      }
      HBC_INNER(parallel for)
      for (int64_t f = 0; f < features; ++f) {
        center[c * features + f] = sum[c * features + f] / (double)members[c];
      }
    }
  }
}
