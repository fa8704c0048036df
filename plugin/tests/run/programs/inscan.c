// Prefix sums: reduction(inscan, ...) and scan.
#include "show.h"

int main(void) {
  static long out[n];
  for (int i = 0; i < n; ++i) v[i] = i % 7 + 1;
  long sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    sum += v[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
  for (int i = 0; i < n; ++i) v[i] = out[i];
  show("inclusive");
  number("sum", sum);
  sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    out[i] = sum;
#pragma omp scan exclusive(sum)
    sum += v[i];
  }
  for (int i = 0; i < n; ++i) v[i] = out[i];
  show("exclusive");
  return 0;
}
// converted: 4 loops, 2 regions, 0 left
