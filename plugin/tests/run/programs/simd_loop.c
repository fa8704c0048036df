// parallel for simd and its clauses.
#include "show.h"

int main(void) {
  static double a[n], b[n];
  for (int i = 0; i < n; ++i) a[i] = i * 0.5;
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) b[i] = a[i] * 2 + 1;
#pragma omp parallel for simd safelen(8) simdlen(4) aligned(a, b : 8)
  for (int i = 0; i < n; ++i) b[i] += a[i];
  double s = 0;
#pragma omp parallel for simd reduction(+ : s) private(a)
  for (int i = 0; i < n; ++i) s += b[i];
  printf("%.17g\n", s);
  int i;
#pragma omp parallel for simd lastprivate(i)
  for (i = 0; i < n; i += 2) v[i] = (long)b[i];
  number("after", i);
#pragma omp parallel for simd if (simd : 0) nontemporal(a)
  for (int k = 0; k < n; ++k) v[k] += (long)a[k];
  show("simd");
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
