/* Recursive, with a task for each call: something to do that makes tasks itself. */
#pragma once

static long fib(int x) {
  if (x < 2) return x;
  long a, b;
#pragma omp task shared(a)
  a = fib(x - 1);
  b = fib(x - 2);
#pragma omp taskwait
  return a + b;
}
