// Clauses of sections.
#include "show.h"

int main(void) {
  int first = 4, last = 0, scratch = 9;
  long sum = 1, most = 0;
#pragma omp parallel sections firstprivate(first) lastprivate(last) private(scratch) reduction(+ : sum) \
    reduction(max : most) num_threads(3)
  {
#pragma omp section
    {
      scratch = first * 2;
      sum += scratch;
      most = most > 4 ? most : 4;
      last = 1;
    }
#pragma omp section
    {
      scratch = first * 3;
      sum += scratch;
      most = most > 40 ? most : 40;
      last = 2;
    }
#pragma omp section
    {
      sum += 100;
      last = 3 + first;
    }
  }
  printf("%d %d %ld %ld\n", first, last, sum, most);
#pragma omp parallel
  {
#pragma omp sections lastprivate(last) reduction(+ : sum)
    {
      sum += 5;
#pragma omp section
      last = 77;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = last + sum;
  }
  show("used after it");
  return 0;
}
// converted: 3 loops, 1 regions, 0 left
