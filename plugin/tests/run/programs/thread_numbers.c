// Programs that ask for their thread get an answer that is right.
#include "show.h"
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_max_threads(void) { return 1; }
static int omp_get_num_threads(void) { return 1; }
#endif

int main(void) {
  static long counts[64];
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for
    for (int i = 0; i < n; ++i) counts[omp_get_thread_num()] += i;
  }
  long s = 0;
  for (int t = 0; t < threads; ++t) s += counts[t];
  number("sum", s);
#pragma omp parallel
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < n; i += all) v[i] = i;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += 1;
  }
  show("by hand");
  number("enough", omp_get_max_threads() >= 1);
  return 0;
}
// converted: 0 loops, 0 regions, 2 left
