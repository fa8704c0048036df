#include "hbc/cf/program.h"

enum { features = hbc_cf_features };

void HBC_ENTRY(cf)(const struct hbc_cf *a) {
  const int64_t vertices = a->graph.vertices;
  const int64_t *begin = a->graph.begin;
  const int32_t *neighbour = a->graph.neighbour;
  const double *rating = a->rating;
  const double step = a->step;
  const double lambda = a->lambda;
  double *latent = a->latent;
  double *next = a->next;
  for (int64_t round = 0; round < a->rounds; ++round) {
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t v = 0; v < vertices; ++v) {
      const double *mine = latent + v * features;
      double gradient[features] = {0.0};
      HBC_INNER(parallel for reduction(+ : gradient))
      for (int64_t e = begin[v]; e < begin[v + 1]; ++e) {
        const double *other = latent + (int64_t)neighbour[e] * features;
        double estimate = 0.0;
        HBC_INNER(parallel for reduction(+ : estimate))
        for (int64_t k = 0; k < features; ++k) {
          estimate += other[k] * mine[k];
        }
        const double error = rating[e] - estimate;
        HBC_INNER(parallel for)
        for (int64_t k = 0; k < features; ++k) {
          gradient[k] += error * other[k];
        }
      }
      HBC_INNER(parallel for)
      for (int64_t k = 0; k < features; ++k) {
        next[v * features + k] = mine[k] + step * (gradient[k] - lambda * mine[k]);
      }
    }
    double *swapped = latent;
    latent = next;
    next = swapped;
  }
}
