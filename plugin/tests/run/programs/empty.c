// Loops without iterations: nothing runs, nothing is written by lastprivate, reductions keep what there was.
#include "show.h"

int main(void) {
  int none = 0, minus = -3, last = 42;
  long s = 17;
#pragma omp parallel for
  for (int i = 0; i < none; ++i) v[i] = 1;
#pragma omp parallel for schedule(dynamic) lastprivate(last)
  for (int i = 5; i < minus; ++i) last = i;
#pragma omp parallel for schedule(static, 2) reduction(+ : s)
  for (int i = minus; i > none; --i) s += 100;
#pragma omp parallel for reduction(max : s)
  for (unsigned i = 9; i < (unsigned)none; ++i) s = 1000;
#pragma omp parallel for
  for (long i = 10; i < 10; ++i) v[i] = 1;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < none; ++j) v[i] = 1;
  }
#pragma omp parallel for collapse(2) lastprivate(last)
  for (int i = 0; i < none; ++i) {
    for (int j = 0; j < n; ++j) last = j;
  }
#pragma omp parallel for
  for (unsigned long i = 1; i < (unsigned long)none; ++i) v[i] = 1;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (int i = 0; i < none; ++i) s += 1;
#pragma omp for lastprivate(last)
    for (int i = 0; i < none; ++i) last = 1;
  }
  show("nothing");
  number("last", last);
  number("sum", s);
  return 0;
}
// converted: 9 loops, 1 regions, 1 left
