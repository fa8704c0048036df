// Iterations that look at what code behind the loop's barrier sets: the barrier keeps that from them, and stays.
#include "cases.h"

#include <string.h>

static int takes_long(int i) {
  volatile int sum = 0;
  for (int k = 0; k < 300; ++k) sum = sum + k;
  return sum != 0 ? i % 97 + 1 : 0;
}
static int peek(const int* at) { return *at; }

#define PRAGMA(text) _Pragma(#text)
#define SEEN_BY(name, begin, clauses, look, result)                      \
  CASE(name) {                                                           \
    begin;                                                               \
    int seen = 0;                                                        \
    PRAGMA(omp parallel clauses) {                                       \
      int mine = 0, mine_seen = 0;                                       \
      _Pragma("omp for schedule(dynamic)") for (int i = 0; i < n; ++i) { \
        const int w = takes_long(i);                                     \
        if (w > mine) mine = w;                                          \
        if (look) mine_seen = 1;                                         \
      }                                                                  \
      _Pragma("omp critical") {                                          \
        if (mine > result) result = mine;                                \
        if (mine_seen) seen = 1;                                         \
      }                                                                  \
    }                                                                    \
    return seen * 1000 + result;                                         \
  }

SEEN_BY(a_function, int best = 0, shared(seen), peek(&best) != 0, best)
SEEN_BY(another_name, int best = 0; int* at = &best, firstprivate(at), *at != 0, best)
static int copied(const int* from) {
  int copy[2];
  memcpy(copy, from, sizeof copy);
  return copy[0];
}
SEEN_BY(a_copy, int best[2] = {0}, shared(seen), copied(best) != 0, best[0])
CASE(a_region_inside) {
  int best = 0, seen = 0;
#pragma omp parallel
  {
    int mine = 0, mine_seen = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i) {
      const int w = takes_long(i);
      if (w > mine) mine = w;
      int s = 0;
#pragma omp parallel for reduction(| : s)
      for (int k = 0; k < 4; ++k) s |= best;
      if (s) mine_seen = 1;
    }
#pragma omp critical
    {
      if (mine > best) best = mine;
      if (mine_seen) seen = 1;
    }
  }
  return seen * 1000 + best;
}

int main(void) {
  RUN(a_function);
  RUN(another_name);
  RUN(a_copy);
  RUN(a_region_inside);
  return 0;
}
// converted: 1 loops, 0 regions, 4 left
