// Regions with several constructs inside one another.
#include "show.h"

static long inner(long *row, int columns) {
  long s = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int k = 0; k < columns; ++k) row[k] += k;
#pragma omp single
    row[0] = 1;
#pragma omp for reduction(+ : s)
    for (int k = 0; k < columns; ++k) s += row[k];
  }
  return s;
}

int main(void) {
  long s = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (int i = 0; i < 25; ++i) s += inner(v + i * 40, 40);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 25; ++i) {
#pragma omp parallel
      {
#pragma omp for
        for (int k = 0; k < 40; ++k) v[i * 40 + k] *= 2;
#pragma omp master
        v[i * 40 + 1] = i;
      }
    }
#pragma omp single
    s += inner(v, n);
  }
  show("rows");
  number("sum", s);
  return 0;
}
// converted: 5 loops, 3 regions, 0 left
