/* Members stay on their threads, also where several threads have regions that work for long between barriers: libraries keep
   things for each thread that no compiler sees, as Python its thread state. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int moved, inside;

static void work(double seconds) {
  const double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
  }
}

static void* regions(void* argument) {
  (void)argument;
  omp_set_max_active_levels(2);
  for (int region = 0; region < 6; ++region) {
#pragma omp parallel num_threads(2)
    {
      const pid_t self = gettid();
#pragma omp barrier
      work(0.02);
#pragma omp barrier
      /* A region inside, which has takt's threads, and a task: on the member's own stack. */
#pragma omp parallel num_threads(2)
      if (omp_get_level() == 2 && omp_get_num_threads() == 2) __atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED);
#pragma omp single
#pragma omp task
      __atomic_fetch_add(&inside, omp_get_num_threads() == 2, __ATOMIC_RELAXED);
      if (gettid() != self) __atomic_fetch_add(&moved, 1, __ATOMIC_RELAXED);
    }
  }
  return NULL;
}

int main(void) {
  enum { k_threads = 4 };
  pthread_t threads[k_threads];
  for (int i = 0; i < k_threads; ++i) CHECK(pthread_create(&threads[i], NULL, &regions, NULL) == 0);
  for (int i = 0; i < k_threads; ++i) pthread_join(threads[i], NULL);
  CHECK(moved == 0);
  CHECK(inside == k_threads * 6 * (4 + 1));
  puts("right");
  return 0;
}
