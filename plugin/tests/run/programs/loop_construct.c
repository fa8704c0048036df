// The loop construct.
#include "show.h"

int main(void) {
#pragma omp parallel loop
  for (int i = 0; i < n; ++i) v[i] = 2 * i;
  show("parallel loop");
  long s = 0;
#pragma omp parallel loop reduction(+ : s) collapse(2)
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 50; ++j) s += v[i * 50 + j];
  }
  number("sum", s);
#pragma omp parallel
  {
#pragma omp loop
    for (int i = 0; i < n; ++i) v[i] += 1;
#pragma omp loop bind(parallel)
    for (int i = 0; i < n; ++i) v[i] *= 3;
  }
  show("in a region");
  return 0;
}
// converted: 4 loops, 1 regions, 0 left
