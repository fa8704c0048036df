// Regions of the OpenMP runtime whose threads start converted loops, all at once.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long inner(int n, int *out) {
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    long t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int j = 0; j < i % 50; ++j) t += i ^ j;
    out[i] = (int)t;
    s += t;
  }
  return s;
}

int main(void) {
  enum { n = 3000, threads = 4 };
  long sums[threads] = {0};
  int *out[threads];
  for (int t = 0; t < threads; ++t) out[t] = malloc(sizeof(int) * n);
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    for (int round = 0; round < 5; ++round) sums[me] += inner(n, out[me]);
#pragma omp barrier
    if (omp_get_num_threads() > 1) sums[me] += inner(n / 2, out[(me + 1) % threads]) * 0;
  }
  for (int t = 0; t < threads; ++t) printf("%d %ld %d\n", t, sums[t], sums[t] == 5 * inner(n, out[t]));
  for (int t = 0; t < threads; ++t) free(out[t]);
  return 0;
}
