// Taskgroups one after another and inside each other, in a function that recurses; some tasks are final.
#include <stdio.h>

static long tree(int n) {
  if (n <= 0) return 1;
  long a = 0, b = 0, c = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(a) final(n < 3)
    a = tree(n - 1);
#pragma omp taskgroup
    {
#pragma omp task shared(b)
      b = tree(n - 2);
    }
    b += 1;
  }
#pragma omp taskgroup
  {
#pragma omp task shared(c) untied
    c = tree(n - 3);
  }
  return a + b * 2 + c * 3;
}

int main(void) {
  long got = 0;
#pragma omp parallel
#pragma omp single
  got = tree(11);
  printf("%ld\n", got);
}
// converted: 0 loops, 1 regions, 0 left
