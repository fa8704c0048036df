// critical in loops, sections, functions and loops in loops.
#include "show.h"

static long total;
static void add(long what) {
#pragma omp critical
  total += what;
}

int main(void) {
  int count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    {
      count++;
      v[count % n] += 0;
    }
    add(i);
  }
  number("count", count);
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 50; ++i) {
#pragma omp parallel for
    for (int k = 0; k < i; ++k) {
#pragma omp critical
      total += k;
    }
    add(1);
  }
  number("total", total);
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      add(7);
#pragma omp section
      add(8);
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (i % 100 == 0) add(1);
    }
  }
  number("total", total);
  return 0;
}
// converted: 5 loops, 1 regions, 0 left
