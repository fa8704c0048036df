// Complex sums and products.
#include "show.h"
#include <complex.h>

int main(void) {
  double _Complex sum = 1 + 2 * I;
  float _Complex small = 0;
  double _Complex turn = 1;
#pragma omp parallel for reduction(+ : sum, small) reduction(* : turn)
  for (int i = 0; i < n; ++i) {
    sum += i - 0.5 * i * I;
    small += (float)(i % 8) * I;
    turn *= I;
  }
  printf("%g %g %g %g %g %g\n", creal(sum), cimag(sum), crealf(small), cimagf(small), creal(turn), cimag(turn) + 0.0);
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
