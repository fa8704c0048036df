// sections: each block once.
#include "show.h"

static void fill(int from, int to, long what) {
  for (int i = from; i < to; ++i) v[i] = what * i;
}

int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    fill(0, 300, 2);
#pragma omp section
    fill(300, 600, 3);
#pragma omp section
    { fill(600, n, 5); }
  }
  show("parallel sections");
#pragma omp parallel sections
  { fill(0, n, 7); }
  show("one");
#pragma omp parallel
  {
#pragma omp sections
    {
      fill(0, 10, 1);
#pragma omp section
      fill(10, 20, 2);
    }
#pragma omp sections nowait
    {
#pragma omp section
      fill(20, 30, 3);
    }
#pragma omp sections
    {
#pragma omp section
      fill(30, 40, 4);
#pragma omp section
      {
        long s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 100; i < 200; ++i) s += i;
        v[40] = s;
      }
    }
  }
  show("in a region");
  return 0;
}
// converted: 6 loops, 1 regions, 0 left
