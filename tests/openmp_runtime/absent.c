/* A member whose thread does not come: others have it, or the CPU. Who waits for the member runs it. */
#include <omp.h>
#include <pthread.h>

#include "check.h"

static int is_taken, is_over;

/* Keeps the thread of every second member until the others' regions are over. */
static void* keep(void* argument) {
  (void)argument;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      __atomic_store_n(&is_taken, 1, __ATOMIC_RELEASE);
      while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
      }
    }
  }
  return NULL;
}

int main(void) {
  int here = 0;
  for (int round = 0; round < 20; ++round) {
    is_taken = is_over = 0;
    pthread_t other;
    CHECK(pthread_create(&other, NULL, &keep, NULL) == 0);
    while (!__atomic_load_n(&is_taken, __ATOMIC_ACQUIRE)) {
    }
    const pthread_t self = pthread_self();
    for (int region = 0; region < 20; ++region) {
      int seen[2] = {0, 0}, after[2] = {0, 0};
      pthread_t second;
#pragma omp parallel num_threads(2)
      {
        const int me = omp_get_thread_num();
        ++seen[me];
#pragma omp barrier
        after[me] = seen[1 - me];
        if (me == 1) second = pthread_self();
      }
      CHECK(after[0] == 1 && after[1] == 1);
      here += pthread_equal(second, self) != 0;
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    pthread_join(other, NULL);
  }
  /* Not each time: a thread that finds it stuck may take it over. */
  CHECK(here > 0);
  puts("right");
  return 0;
}
