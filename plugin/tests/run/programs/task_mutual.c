// Functions that make tasks of each other; one of them waits for tasks that its caller has made.
#include <stdio.h>

static long even(int n);

static long odd(int n) {
  if (n < 1) return 2;
  long a, b;
#pragma omp task shared(a)
  a = even(n - 1);
  b = even(n - 3);
#pragma omp taskwait
  return (a + b * 2) % 1000003;
}

static long even(int n) {
  if (n < 1) return 3;
  long a, b;
#pragma omp task shared(b)
  b = odd(n - 2);
#pragma omp task shared(a)
  a = odd(n - 1);
#pragma omp taskwait
  return (a * 5 + b) % 1000003;
}

static void wait_for_caller(long* from, long* to) {
#pragma omp taskwait
  *to = *from + 1;
}

int main(void) {
  long got = 0, first = 0, second = 0;
#pragma omp parallel
#pragma omp single
  {
    got = even(15);
#pragma omp task shared(first)
    first = odd(9);
    wait_for_caller(&first, &second);
  }
  printf("%ld %ld\n", got, second - first);
}
// converted: 0 loops, 1 regions, 0 left
