// if(0) and final(condition) before a task that may be pushed.
#include <stdio.h>

static long value(int n) { return n * 3 + 1; }

int main(int n, char **arguments) {
  long a = 0, b = 0, c = 0;
  (void)arguments;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (0) final(n > 1) shared(a)
    a = value(1);
#pragma omp task shared(b)
    b = value(2);
#pragma omp task if (n > 1) final(n > 0) shared(c)
    c = value(3);
#pragma omp task shared(b)
    (void)b;
  }
  printf("%ld %ld %ld\n", a, b, c);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
