// reduction modifiers, and reductions on the region around a loop.
#include "show.h"

int main(void) {
  long s = 0, t = 0, u = 0;
#pragma omp parallel for reduction(default, + : s)
  for (int i = 0; i < n; ++i) s += i;
#pragma omp parallel reduction(+ : t)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) t += 2 * i;
  }
#pragma omp parallel
  {
#pragma omp for reduction(+ : u) nowait
    for (int i = 0; i < n; ++i) u += 3 * i;
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i) s += 1;
  }
  number("default", s);
  number("region", t);
  number("nowait", u);
  return 0;
}
// converted: 4 loops, 1 regions, 0 left
