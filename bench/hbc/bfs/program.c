#include "hbc/bfs/program.h"

void HBC_ENTRY(bfs)(const struct hbc_bfs *a) {
  const int64_t vertices = a->graph.vertices;
  const int64_t *begin = a->graph.begin;
  const int32_t *neighbour = a->graph.neighbour;
  const int32_t root = a->root;
  int32_t *parent = a->parent;
  unsigned char *frontier = a->frontier;
  unsigned char *next = a->next;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t v = 0; v < vertices; ++v) {
    parent[v] = v == root ? root : -1;
    frontier[v] = v == root;
  }
  int64_t found = 1;
  while (found > 0) {
    found = 0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : found)
    for (int64_t v = 0; v < vertices; ++v) {
      next[v] = 0;
      if (parent[v] >= 0) {
        continue;
      }
      int32_t first = INT32_MAX;
      HBC_INNER(parallel for reduction(min : first))
      for (int64_t e = begin[v]; e < begin[v + 1]; ++e) {
        const int32_t u = neighbour[e];
        if (frontier[u] && u < first) {
          first = u;
        }
      }
      if (first != INT32_MAX) {
        parent[v] = first;
        next[v] = 1;
        ++found;
      }
    }
    unsigned char *swapped = frontier;
    frontier = next;
    next = swapped;
  }
}
