// order(concurrent).
#include "show.h"

int main(void) {
  long s = 0;
#pragma omp parallel for order(concurrent)
  for (int i = 0; i < n; ++i) v[i] = i * 2;
  show("concurrent");
#pragma omp parallel for order(reproducible : concurrent) schedule(static, 7)
  for (int i = 0; i < n; ++i) v[i] += i * 2;
  show("reproducible");
#pragma omp parallel for simd order(unconstrained : concurrent) reduction(+ : s)
  for (int i = 0; i < n; ++i) s += v[i];
  number("unconstrained", s);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
