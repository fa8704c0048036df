// A region that cannot be converted because of its last loop, with ones inside that can.
#include "show.h"
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

int main(void) {
  static long counts[64];
  long singles = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp for
    for (int i = 0; i < 5; ++i) {
#pragma omp parallel for
      for (int j = 0; j < 4; ++j) {
        long *row = v + (i * 4 + j) * 50;
#pragma omp parallel num_threads(3)
        {
#pragma omp for
          for (int k = 0; k < 50; ++k) row[k] += k + i;
#pragma omp single
          {
#pragma omp atomic
            singles++;
          }
#pragma omp for
          for (int k = 1; k < 50; ++k) row[k] += j;
        }
      }
    }
#pragma omp for
    for (int i = 0; i < n; ++i) counts[omp_get_thread_num()] += v[i];
  }
  long s = 0;
  for (int t = 0; t < 64; ++t) s += counts[t];
  show("rows");
  printf("%ld %ld\n", s, singles);
  return 0;
}
// converted: 3 loops, 1 regions, 1 left
