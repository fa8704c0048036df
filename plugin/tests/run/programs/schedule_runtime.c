// schedule(auto) and schedule(runtime).
#include "show.h"

int main(void) {
#pragma omp parallel for schedule(auto)
  for (int i = 0; i < n; ++i) v[i] = 5 * i;
  show("auto");
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; ++i) v[i] += i % 3;
  show("runtime");
  long s = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : s)
  for (unsigned long i = 0; i < n; i += 3) s += v[i];
  number("sum", s);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
