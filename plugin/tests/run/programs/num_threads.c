// num_threads: one thread runs the iterations in order.
#include "show.h"

int main(void) {
  for (int threads = 1; threads < 4; ++threads) {
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; ++i) v[i] = i * threads;
    show("some");
#pragma omp parallel for num_threads(1)
    for (int i = 1; i < n; ++i) v[i] = (v[i - 1] * 3 + i) % 1009;
    show("one");
#pragma omp parallel for num_threads(threads / 3 + 1) if (threads < 2)
    for (int i = 1; i < n; ++i) v[i] = (v[i - 1] * 5 + i) % 1009 * (threads < 3);
    show("one or none");
#pragma omp parallel for num_threads(7)
    for (int i = 0; i < n; ++i) v[i] += 1;
    show("seven");
#pragma omp parallel num_threads(threads)
    {
#pragma omp for
      for (int i = 0; i < n; ++i) v[i] += 2;
#pragma omp for
      for (int i = 0; i < n; ++i) v[i] *= 2;
    }
    show("region");
  }
  return 0;
}
// converted: 6 loops, 1 regions, 0 left
