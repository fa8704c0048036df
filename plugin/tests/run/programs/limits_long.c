// Bounds at the ends of 64 bits.
#include "show.h"
#include <limits.h>

int main(void) {
#pragma omp parallel for
  for (long i = LONG_MIN; i < LONG_MIN + n; ++i) v[i - LONG_MIN]++;
  show("from LONG_MIN");
#pragma omp parallel for schedule(static, 3)
  for (long i = LONG_MAX - n; i < LONG_MAX; ++i) v[i - (LONG_MAX - n)] += 2;
  show("to LONG_MAX");
#pragma omp parallel for schedule(dynamic, 2)
  for (unsigned long i = ULONG_MAX - n; i < ULONG_MAX; ++i) v[i - (ULONG_MAX - n)] += 3;
  show("to ULONG_MAX");
  long count = 0;
#pragma omp parallel for reduction(+ : count)
  for (unsigned long i = 0; i < ULONG_MAX - (1ul << 56); i += 1ul << 56) count += (long)(i >> 56);
  number("all of it", count);
#pragma omp parallel for reduction(+ : count) schedule(guided)
  for (long i = LONG_MAX; i > 0; i -= 1l << 57) ++count;
  number("down", count);
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
