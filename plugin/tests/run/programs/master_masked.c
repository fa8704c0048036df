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
  // Of a team of one, no thread would have this number.
#pragma omp parallel num_threads(3)
  {
#pragma omp masked filter(2)
    masters += 5;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += 4;
  }
  show("masked filter");
  number("masters", masters);
  return 0;
}
// converted: 2 loops, 1 regions, 3 left
