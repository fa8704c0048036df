// Primes: a loop whose inner loop has a bound and a step of its own.
#include "show.h"
#include <string.h>

int main(void) {
  static unsigned char composite[20001];
  int count = 0;
  for (int p = 2; p * p <= 20000; ++p) {
    if (composite[p]) continue;
#pragma omp parallel for schedule(static, 64)
    for (int k = p * p; k <= 20000; k += p) composite[k] = 1;
  }
#pragma omp parallel for reduction(+ : count)
  for (int k = 2; k <= 20000; ++k) count += !composite[k];
  number("primes", count);
  memset(composite, 0, sizeof composite);
  count = 0;
#pragma omp parallel
  {
    for (int p = 2; p * p <= 20000; ++p) {
      if (composite[p]) continue;
#pragma omp for
      for (int k = p * p; k <= 20000; k += p) composite[k] = 1;
    }
#pragma omp for reduction(+ : count)
    for (int k = 2; k <= 20000; ++k) count += !composite[k];
  }
  number("in one region", count);
  return 0;
}
// converted: 4 loops, 1 regions, 0 left
