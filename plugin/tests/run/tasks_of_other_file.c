// Tasks in functions of another file, called from a region here and from code that is not converted.
#include <stdio.h>

long other_fib(int x);
void other_leave(long *sum, int many);
void other_step(long *x, int digit);

static long sum_of(int x) {
  long a = 0;
#pragma omp task shared(a)
  a = other_fib(x);
  long b = other_fib(x + 1);
#pragma omp taskwait
  return a * 3 + b;
}

int main(void) {
  long f = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  {
    f = sum_of(12);
    other_leave(&sum, 100);
#pragma omp taskwait
    sum *= 2;
  }
  printf("%ld %ld\n", f, sum);
  long x = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task depend(inout : x)
    x = (x * 3 + i) % 1000003;
    other_step(&x, i);
#pragma omp task depend(inout : x)
    x = (x * 5 + i) % 1000003;
  }
  printf("%ld\n", x);
  // Outside of any region.
  f = other_fib(10);
  other_leave(&sum, 5);
#pragma omp taskwait
  printf("%ld %ld\n", f, sum);
  return 0;
}
