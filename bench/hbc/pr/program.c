#include "hbc/pr/program.h"

#include <math.h>

void HBC_ENTRY(pr)(const struct hbc_pr *a) {
  const int64_t vertices = a->graph.vertices;
  const int64_t *begin = a->graph.begin;
  const int32_t *neighbour = a->graph.neighbour;
  const int32_t *links_out = a->links_out;
  const double damping = a->damping;
  const double base = (1.0 - damping) / (double)vertices;
  double *rank = a->rank;
  double *given = a->given;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t v = 0; v < vertices; ++v) {
    rank[v] = 1.0 / (double)vertices;
  }
  for (int64_t round = 0; round < a->rounds; ++round) {
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t v = 0; v < vertices; ++v) {
      given[v] = links_out[v] == 0 ? 0.0 : rank[v] / (double)links_out[v];
    }
    double change = 0.0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : change)
    for (int64_t v = 0; v < vertices; ++v) {
      double sum = 0.0;
      HBC_INNER(parallel for reduction(+ : sum))
      for (int64_t e = begin[v]; e < begin[v + 1]; ++e) {
        sum += given[neighbour[e]];
      }
      const double now = base + damping * sum;
      change += fabs(now - rank[v]);
      rank[v] = now;
    }
    a->change[round] = change;
  }
}
