// schedule(guided), with and without a smallest chunk.
#include "show.h"

int main(void) {
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; ++i) v[i] = 7 * i;
  show("guided");
#pragma omp parallel for schedule(guided, 13)
  for (unsigned i = 0; i < n; ++i) v[i] += 2;
  show("at least 13");
#pragma omp parallel for schedule(guided, 5000)
  for (long i = n - 1; i >= 0; --i) v[i] *= 2;
  show("more than there are");
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
