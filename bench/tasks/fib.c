// Fibonacci numbers: nothing but tasks.
#include "program.h"

#ifdef CUT_OFF
static long fib_alone(int n) { return n < 2 ? n : fib_alone(n - 1) + fib_alone(n - 2); }
#endif

static long fib(int n) {
  if (n < 2) return n;
#ifdef CUT_OFF
  if (n < cut_off) return fib_alone(n);
#endif
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  int n = size_or(argc, argv, 20);
  long f = 0;
  work_begins();
#pragma omp parallel
#pragma omp single
  f = fib(n);
  work_ends();
  printf("%ld\n", f);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
