// reduction(task, ...): tasks add to what the loop adds to.
#include "show.h"

int main(void) {
  long s = 0;
#pragma omp parallel for reduction(task, + : s)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += i;
  }
  number("a loop", s);
#pragma omp parallel reduction(task, + : s)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) s += i;
  }
  number("a region", s);
#pragma omp parallel master taskloop reduction(+ : s)
  for (int i = 0; i < n; ++i) s += i;
  number("taskloop", s);
  return 0;
}
// converted: 1 loops, 2 regions, 1 left
