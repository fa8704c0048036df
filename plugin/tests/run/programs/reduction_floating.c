// Floating-point sums and products that are exact in any order.
#include "show.h"

int main(void) {
  float single = 1;
  double real = 0.5, product = 1;
  long double wide = 0;
#pragma omp parallel for reduction(+ : single, real, wide) reduction(* : product)
  for (int i = 0; i < n; ++i) {
    single += (float)(i % 16) / 4;
    real += i * 0.125;
    wide += i * 3;
    product *= i % 3 == 0 ? 2.0 : i % 3 == 1 ? 0.5 : 1.0;
  }
  printf("%g %.17g %Lg %g\n", single, real, wide, product);
  double minus = 0;
#pragma omp parallel for reduction(- : minus) schedule(guided)
  for (int i = 0; i < n; ++i) minus -= i * 0.5;
  printf("%.17g\n", minus);
  return 0;
}
// converted: 2 loops, 0 regions, 0 left
