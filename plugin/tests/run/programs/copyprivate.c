// copyprivate: one thread reads, all have it.
#include "show.h"

int main(void) {
  int a = 0;
  double b = 0;
  int row[4] = {0};
  int *where = 0;
#pragma omp parallel private(a, b, row, where)
  {
#pragma omp single copyprivate(a, b, row, where)
    {
      a = 5;
      b = 2.5;
      for (int k = 0; k < 4; ++k) row[k] = k * k;
      static int target = 8;
      where = &target;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = a + (long)(b * i) + row[i % 4] + *where;
    for (int round = 0; round < 3; ++round) {
#pragma omp single copyprivate(a)
      a = (int)v[round] + round;
#pragma omp for
      for (int i = 0; i < n; ++i) v[i] += a;
    }
  }
  show("copyprivate");
  return 0;
}
// converted: 2 loops, 1 regions, 0 left
