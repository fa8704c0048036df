// Loops without a barrier between them that do not need one.
#include "show.h"

int main(void) {
  static long w[n];
  long s = 0, other = 0;
#pragma omp parallel
  {
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; ++i) v[i] = i;
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; ++i) w[i] = v[i] * 2;
#pragma omp for nowait reduction(+ : s)
    for (int i = 0; i < n; ++i) s += i % 3;
#pragma omp sections nowait
    {
#pragma omp section
      v[n] = 4;
    }
#pragma omp single nowait
    other = 9;
  }
  show("first");
  for (int i = 0; i < n; ++i) v[i] = w[i];
  show("second");
  number("sum", s + other);
  return 0;
}
// converted: 4 loops, 1 regions, 0 left
