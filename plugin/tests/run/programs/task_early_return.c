// A function that recurses has several ends, with and without tasks that wait.
#include <stdio.h>

static long count(int n, int kind) {
  if (n < 2) return 1;
  long a = 0, b = 0, c = 0;
#pragma omp task shared(a)
  a = count(n - 1, kind);
  if (kind == n % 3) {
#pragma omp taskwait
    return a + 1;
  }
#pragma omp task shared(b)
  b = count(n - 2, kind);
  c = count(n / 2, kind);
#pragma omp taskwait
  if (c > 100) return a + b + c;
#pragma omp task shared(c) if (c < 50)
  c += 7;
#pragma omp taskwait
  return a + 2 * b + c;
}

int main(void) {
  long got[3];
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 3; k++) got[k] = count(14, k);
  printf("%ld %ld %ld\n", got[0], got[1], got[2]);
}
// converted: 0 loops, 1 regions, 0 left
