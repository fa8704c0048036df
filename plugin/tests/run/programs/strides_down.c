// Loops that count down.
#include "show.h"

int main(void) {
  for (int step = 1; step < 2 * n; step = 3 * step + 1) {
#pragma omp parallel for
    for (int i = n - 1; i >= 0; i -= step) v[i] += step;
#pragma omp parallel for schedule(guided)
    for (int i = n; i > 0; i = i - step) v[i - 1] ^= 2;
#pragma omp parallel for
    for (long i = n - 1; i > 4; i += -step) v[i] += 3;
#pragma omp parallel for schedule(dynamic)
    for (unsigned i = n - 1; i > 3; i -= 3) v[i] += i;
  }
  show("down");
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
