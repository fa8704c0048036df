// atomic updates with every operator.
#include "show.h"

int main(void) {
  int sum = 0, difference = 0, bits = 0, odd = 0, all = ~0;
  long wide = 0;
  double real = 0;
  float single = 0;
  unsigned char small = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    sum += i;
#pragma omp atomic update
    difference -= 2;
#pragma omp atomic
    bits |= 1 << (i % 20);
#pragma omp atomic
    odd ^= i;
#pragma omp atomic
    all &= ~(1 << (i % 5));
#pragma omp atomic
    wide++;
#pragma omp atomic
    real += 0.5;
#pragma omp atomic
    single = single + 0.25f;
#pragma omp atomic
    --small;
#pragma omp atomic seq_cst
    v[i % 10] += i;
  }
  printf("%d %d %d %d %d %ld %g %g %d\n", sum, difference, bits, odd, all, wide, real, single, small);
  show("array");
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
