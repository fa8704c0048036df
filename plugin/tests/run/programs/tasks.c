// Tasks, and tasks beside a loop in one region.
#include "show.h"

static long fib(int x) {
  if (x < 2) return x;
  long a, b;
#pragma omp task shared(a) if (x > 8)
  a = fib(x - 1);
  b = fib(x - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long f = 0;
#pragma omp parallel
  {
#pragma omp single
    f = fib(14);
  }
  number("fib", f);
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp taskloop
      for (int i = 0; i < n; ++i) v[i] = i;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += 1;
  }
  show("taskloop");
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] *= 3;
  show("loop");
  return 0;
}
// converted: 2 loops, 2 regions, 0 left
