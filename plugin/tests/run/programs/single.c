// single: once, with and without nowait, with private variables.
#include "show.h"

int main(void) {
  int once = 0, mine = 5, given = 6;
#pragma omp parallel
  {
#pragma omp single
    once++;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = once;
#pragma omp single nowait private(mine) firstprivate(given)
    {
      mine = 3;
      once += given + mine;
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += once;
#pragma omp single
    {
      for (int i = 0; i < n; ++i) v[i] ^= 1;
      long s = 0;
#pragma omp parallel for reduction(+ : s)
      for (int i = 0; i < n; ++i) s += v[i];
      v[0] = s;
    }
  }
  show("single");
  printf("%d %d\n", once, given);
  return 0;
}
// converted: 3 loops, 1 regions, 0 left
