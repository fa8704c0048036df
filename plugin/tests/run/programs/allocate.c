// allocate: private variables from an allocator.
#include "show.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int main(void) {
  int x = 3, y[40];
  long s = 0;
  for (int i = 0; i < 40; ++i) y[i] = i;
#pragma omp parallel for firstprivate(x, y) allocate(omp_default_mem_alloc : x, y)
  for (int i = 0; i < n; ++i) {
    y[i % 40] = x + i;
    v[i] = y[i % 40];
  }
  show("firstprivate");
#pragma omp parallel for allocate(s) reduction(+ : s)
  for (int i = 0; i < n; ++i) s += v[i];
  number("sum", s);
#pragma omp parallel private(x) allocate(omp_default_mem_alloc : x)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) {
      x = i;
      v[i] += x;
    }
#pragma omp for lastprivate(y) allocate(omp_default_mem_alloc : y)
    for (int i = 0; i < n; ++i) {
      y[0] = i;
      y[1] = 2 * i;
    }
  }
  show("a region");
  number("last", y[0] * 3 + y[1]);
  return 0;
}
// converted: 0 loops, 0 regions, 3 left
