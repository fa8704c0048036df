// Barriers between phases.
#include "show.h"

int main(void) {
  static long w[n];
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) v[i] = i;
#pragma omp barrier
#pragma omp for nowait
    for (int i = 0; i < n; ++i) w[i] = v[n - 1 - i] * 2;
#pragma omp barrier
    for (int round = 1; round < 5; ++round) {
#pragma omp for nowait
      for (int i = 0; i < n; ++i) v[i] = w[(i + round) % n];
#pragma omp barrier
#pragma omp for nowait
      for (int i = 0; i < n; ++i) w[i] = v[i] + v[(i * 7) % n];
#pragma omp barrier
    }
  }
  show("phases");
  return 0;
}
// converted: 4 loops, 1 regions, 0 left
