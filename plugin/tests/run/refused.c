// What stays with the OpenMP runtime runs as ever, beside loops that do not.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int tally;
#pragma omp threadprivate(tally)
static _Thread_local int scratch;

static int number(void) { return omp_get_thread_num(); }

int main(void) {
  enum { n = 2000 };
  static int out[n];
  int most = omp_get_max_threads();
  int *own = calloc(most, sizeof(int));
#pragma omp parallel for
  for (int i = 0; i < n; ++i) own[omp_get_thread_num()]++;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) own[number()]++;
  int all = 0;
  for (int t = 0; t < most; ++t) all += own[t];
  printf("thread numbers %d\n", all);

#pragma omp parallel for
  for (int i = 0; i < n; ++i) tally++;
  int tallies = 0;
#pragma omp parallel reduction(+ : tallies)
  tallies += tally;
  printf("threadprivate %d\n", tallies);

#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    scratch = i;
#pragma omp parallel for
    for (int k = 0; k < 3; ++k) {
      if (k == 0) out[i] = k;
    }
    out[i] = scratch;
  }
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += out[i];
  printf("thread-local %ld\n", sum);

  int count = 0, order = 0, wrong = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    count++;
  }
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    wrong += order++ != i;
  }
  printf("critical %d ordered %d\n", count, wrong);

  int singles = 0, hello = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) out[i] = i;
#pragma omp single
    singles++;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) out[i] += 1;
#pragma omp atomic
    hello++;
  }
  sum = 0;
  for (int i = 0; i < n; ++i) sum += out[i];
  printf("region %d %ld %d\n", singles, sum, hello >= 1);

  hello = 0;
  int threads = 0;
#pragma omp parallel
  {
#pragma omp atomic
    hello++;
#pragma omp atomic write
    threads = omp_get_num_threads();
#pragma omp for nowait
    for (int i = 0; i < n; ++i) out[i] = 2;
  }
  printf("code around %d\n", hello == threads);
#pragma omp parallel num_threads(4)
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) out[i] = 2;
#pragma omp atomic
    threads++;
  }
  printf("code after %d\n", out[5]);
  free(own);
  return 0;
}
