// Loops and blocks in functions that a region calls.
#include "show.h"

static void shared_out(int by) {
#pragma omp for
  for (int i = 0; i < n; ++i) v[i] += by;
}
static long summed(void) {
  static long s;
#pragma omp single
  s = 0;
#pragma omp for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += v[i];
  return s;
}
static void split(void) {
#pragma omp sections
  {
#pragma omp section
    v[0] = 50;
#pragma omp section
    v[1] = 60;
  }
}

int main(void) {
#pragma omp parallel
  {
    shared_out(3);
    split();
    shared_out(4);
    long s = summed();
#pragma omp master
    number("sum", s);
  }
  show("in a region");
  // Without a region around it there is one thread.
  shared_out(5);
  split();
  show("alone");
  return 0;
}
// converted: 4 loops, 1 regions, 0 left
