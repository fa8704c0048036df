#include "hbc/floyd_warshall/program.h"

// A row against the one of `via`, another one.
static void relax(int32_t *restrict row, const int32_t *restrict via_row, int32_t first,
                  int64_t n) {
  HBC_INNER(parallel for)
  for (int64_t to = 0; to < n; ++to) {
    const int32_t other = first + via_row[to];
    row[to] = other < row[to] ? other : row[to];
  }
}

void HBC_ENTRY(floyd_warshall)(const struct hbc_floyd_warshall *a) {
  const int64_t n = a->vertices;
  int32_t *distance = a->distance;
  for (int64_t via = 0; via < n; ++via) {
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t from = 0; from < n; ++from) {
      // The row of `via` does not change in its own round, and the others read it.
      if (from != via) {
        relax(distance + from * n, distance + via * n, distance[from * n + via], n);
      }
    }
  }
}
