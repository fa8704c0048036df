// simd loops inside loops that are shared out, and functions declared simd.
#include "show.h"

#pragma omp declare simd uniform(scale)
static long scaled(long x, long scale) { return x * scale + 1; }

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 20; ++i) {
#pragma omp simd
    for (int k = 0; k < 50; ++k) v[i * 50 + k] = scaled(k, i);
  }
  show("simd");
  long all = 0;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < 20; ++i) {
    long row = 0, walk = i;
#pragma omp simd reduction(+ : row) linear(walk : 3)
    for (int k = 0; k < 50; ++k) {
      row += v[i * 50 + k] * (walk % 5);
      walk += 3;
    }
    all += row;
  }
  number("rows", all);
  return 0;
}
// converted: 2 loops, 0 regions, 0 left
