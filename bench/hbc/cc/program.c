#include "hbc/cc/program.h"

void HBC_ENTRY(cc)(const struct hbc_cc *a) {
  const int64_t vertices = a->graph.vertices;
  const int64_t *begin = a->graph.begin;
  const int32_t *neighbour = a->graph.neighbour;
  int32_t *label = a->label;
  int32_t *next = a->next;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t v = 0; v < vertices; ++v) {
    label[v] = (int32_t)v;
  }
  int64_t changed = 1;
  while (changed > 0) {
    changed = 0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : changed)
    for (int64_t v = 0; v < vertices; ++v) {
      int32_t smallest = label[v];
      HBC_INNER(parallel for reduction(min : smallest))
      for (int64_t e = begin[v]; e < begin[v + 1]; ++e) {
        const int32_t other = label[neighbour[e]];
        if (other < smallest) {
          smallest = other;
        }
      }
      next[v] = smallest;
      changed += smallest != label[v];
    }
    int32_t *swapped = label;
    label = next;
    next = swapped;
  }
  // Nothing changed in the last round: both arrays are the answer.
}
