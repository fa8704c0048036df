// Bounds at the ends of unsigned, and more than 2^31 iterations apart.
#include "show.h"
#include <limits.h>

int main(void) {
#pragma omp parallel for
  for (unsigned i = UINT_MAX - n; i < UINT_MAX; ++i) v[i - (UINT_MAX - n)]++;
  show("to UINT_MAX");
  unsigned from = UINT_MAX;
#pragma omp parallel for schedule(dynamic, 9)
  for (unsigned i = from; i > UINT_MAX - n; --i) v[UINT_MAX - i] += 2;
  show("down from UINT_MAX");
  long count = 0;
#pragma omp parallel for reduction(+ : count)
  for (unsigned i = 0; i < UINT_MAX - (1u << 24); i += 1u << 24) count += i >> 24;
  number("all of it", count);
  unsigned step = 0x40000000;
#pragma omp parallel for reduction(+ : count)
  for (unsigned i = 5; i < 0xb0000000; i += step) count += i;
  number("three steps", count);
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
