// taskloop: bounds, collapse, lastprivate, nogroup, grainsize, num_tasks, if, tasks inside.
#include "fib.h"
#include "show.h"

int main(void) {
  long last = -1, from = 3;
  int zero = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < n; ++i) v[i] = i;
#pragma omp taskloop grainsize(7) lastprivate(last) firstprivate(from)
    for (int i = n - 1; i >= 0; i -= 3) {
      v[i] += from;
      last = i;
    }
#pragma omp taskloop collapse(2) num_tasks(5)
    for (int i = 0; i < 10; ++i)
      for (int j = 0; j < 20; ++j) v[i * 20 + j] ^= i - j;
#pragma omp taskloop nogroup
    for (unsigned i = 0; i < 30; ++i) v[500 + i] = fib((int)i % 12);
#pragma omp taskwait
#pragma omp taskloop if (zero)
    for (long i = 600; i < 700; ++i) v[i] = v[i - 100] + i;
#pragma omp taskloop final(zero == 0)
    for (long i = 600; i < 700; ++i) v[i] += fib(5);
#pragma omp taskloop
    for (int i = 0; i < zero; ++i) v[i] = -1;
#pragma omp taskloop
    for (int i = 0; i < zero - 5; ++i) v[i] = -1;
#pragma omp taskloop simd
    for (int i = 0; i < n; ++i) v[i] += 1;
  }
  show("taskloop");
  number("lastprivate", last);
#pragma omp parallel
#pragma omp master
#pragma omp taskloop
  for (int i = 0; i < n; ++i) v[i] *= 2;
  show("combined");
  return 0;
}
// converted: 0 loops, 2 regions, 0 left
