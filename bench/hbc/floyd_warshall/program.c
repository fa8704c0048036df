#include "hbc/floyd_warshall/program.h"

void HBC_ENTRY(floyd_warshall)(const struct hbc_floyd_warshall *a) {
  const int64_t n = a->vertices;
  int32_t *distance = a->distance;
  for (int64_t via = 0; via < n; ++via) {
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t from = 0; from < n; ++from) {
      // The row of `via` does not change in its own round, and the others read it.
      if (from == via) {
        continue;
      }
      const int32_t first = distance[from * n + via];
      HBC_INNER(parallel for)
      for (int64_t to = 0; to < n; ++to) {
        const int32_t known = distance[from * n + to];
        const int32_t other = first + distance[via * n + to];
        distance[from * n + to] = other < known ? other : known;
      }
    }
  }
}
