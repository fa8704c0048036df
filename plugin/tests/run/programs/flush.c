// flush beside loops and in them.
#include "show.h"

int main(void) {
  int ready = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    v[i] = i;
#pragma omp flush
    if (i == n / 2) {
#pragma omp atomic write
      ready = 1;
#pragma omp flush(ready)
    }
  }
  show("flush");
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += ready;
#pragma omp flush
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] *= 2;
  }
  show("in a region");
  return 0;
}
// converted: 3 loops, 1 regions, 0 left
