// master and masked run on one thread, without a barrier.
#include "show.h"

int main(void) {
  int masters = 0, masked = 0, filtered = 0;
#pragma omp parallel
  {
#pragma omp master
    masters++;
#pragma omp masked
    masked++;
#pragma omp masked filter(0)
    filtered++;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = masters + 10 * masked + 100 * filtered;
#pragma omp master
    v[0] = 3;
  }
  show("master");
#pragma omp parallel master
  masters++;
#pragma omp parallel masked
  {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) v[i] += 2;
  }
  show("parallel masked");
  number("masters", masters);
  return 0;
}
// converted: 2 loops, 1 regions, 2 left
