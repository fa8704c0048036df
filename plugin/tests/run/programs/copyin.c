// copyin gives each thread what the first one has.
#include "show.h"

static int base = 3;
static double table[3];
#pragma omp threadprivate(base, table)

int main(void) {
  base = 12;
  for (int k = 0; k < 3; ++k) table[k] = k * 1.5;
#pragma omp parallel for copyin(base, table)
  for (int i = 0; i < n; ++i) v[i] = base + (long)(2 * table[i % 3]);
  show("copyin");
#pragma omp parallel copyin(base)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += base;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] *= 2;
  }
  show("region");
  return 0;
}
// converted: 0 loops, 0 regions, 2 left
