#include "hbc/sssp/program.h"

void HBC_ENTRY(sssp)(const struct hbc_sssp *a) {
  const int64_t vertices = a->graph.vertices;
  const int64_t *begin = a->graph.begin;
  const int32_t *neighbour = a->graph.neighbour;
  const int32_t *length = a->length;
  const int32_t root = a->root;
  int32_t *distance = a->distance;
  int32_t *next = a->next;
  unsigned char *changed = a->changed;
  unsigned char *changes = a->changes;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t v = 0; v < vertices; ++v) {
    distance[v] = v == root ? 0 : INT32_MAX;
    changed[v] = v == root;
  }
  int64_t count = 1;
  while (count > 0) {
    count = 0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : count)
    for (int64_t v = 0; v < vertices; ++v) {
      int32_t shortest = distance[v];
      HBC_INNER(parallel for reduction(min : shortest))
      for (int64_t e = begin[v]; e < begin[v + 1]; ++e) {
        const int32_t u = neighbour[e];
        if (changed[u]) {
          const int32_t other = distance[u] + length[e];
          if (other < shortest) {
            shortest = other;
          }
        }
      }
      next[v] = shortest;
      changes[v] = shortest != distance[v];
      count += changes[v];
    }
    int32_t *swapped = distance;
    distance = next;
    next = swapped;
    unsigned char *swapped_changes = changed;
    changed = changes;
    changes = swapped_changes;
  }
  // Nothing changed in the last round: both arrays are the answer.
}
