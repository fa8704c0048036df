// Private arrays of tasks that no stack has room for, and those that many levels have no room for: they are on the heap.
#include <stdio.h>

static char large[16 << 20];

__attribute__((noinline)) static long depth(int n) {
  static double own[7500];
  long below = 0;
  if (n == 0) return 0;
#pragma omp task private(own) firstprivate(n) shared(below)
  {
    own[n % 7500] = n;
    below = depth(n - 1) + (long)own[n % 7500];
  }
#pragma omp taskwait
  return below;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task private(large) firstprivate(i) shared(sum)
      {
        large[i << 20] = (char)(i + 1);
#pragma omp atomic
        sum += large[i << 20];
      }
#pragma omp task shared(sum)
      {
        const long below = depth(500);
#pragma omp atomic
        sum += below;
      }
#pragma omp taskwait
    }
  }
  printf("%ld\n", sum);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
