#include "hbc/pr_delta/program.h"

#include <math.h>

void HBC_ENTRY(pr_delta)(const struct hbc_pr_delta *a) {
  const int64_t vertices = a->graph.vertices;
  const int64_t *begin = a->graph.begin;
  const int32_t *neighbour = a->graph.neighbour;
  const int32_t *links_out = a->links_out;
  const double damping = a->damping;
  const double least = a->least;
  double *rank = a->rank;
  double *delta = a->delta;
  double *given = a->given;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t v = 0; v < vertices; ++v) {
    rank[v] = 0.0;
    delta[v] = 1.0 / (double)vertices;
    given[v] = links_out[v] == 0 ? 0.0 : delta[v] / (double)links_out[v];
  }
  int64_t active = vertices;
  for (int64_t round = 0; round < a->rounds && active > 0; ++round) {
    const double base = round == 0 ? (1.0 - damping) / (double)vertices : 0.0;
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t v = 0; v < vertices; ++v) {
      double sum = 0.0;
      HBC_INNER(parallel for reduction(+ : sum))
      for (int64_t e = begin[v]; e < begin[v + 1]; ++e) {
        sum += given[neighbour[e]];
      }
      delta[v] = base + damping * sum;
    }
    active = 0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : active)
    for (int64_t v = 0; v < vertices; ++v) {
      // What all had to begin with is no rank: the first round replaces it.
      const double change = round == 0 ? delta[v] - 1.0 / (double)vertices : delta[v];
      rank[v] = round == 0 ? delta[v] : rank[v] + delta[v];
      const int is_active = fabs(change) > least * rank[v];
      given[v] = is_active && links_out[v] > 0 ? change / (double)links_out[v] : 0.0;
      active += is_active;
    }
  }
}
