/* Members that wait for each other by spinning on memory, also where there are fewer threads than members. */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { k_most = 64 };
static int flags[k_most + 1];

static void wait_for(int which, int value) {
  while (__atomic_load_n(&flags[which], __ATOMIC_ACQUIRE) != value) {
  }
}
static void tell(int which, int value) { __atomic_store_n(&flags[which], value, __ATOMIC_RELEASE); }

/* The last member begins; behind a barrier the first one does, when all have begun. */
static void chain(int n) {
  for (int i = 0; i <= n; ++i) flags[i] = 0;
  int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
    const int self = omp_get_thread_num();
    if (self != n - 1) wait_for(self + 1, 1);
    tell(self, 1);
#pragma omp barrier
    if (self != 0) wait_for(self - 1, 2);
    tell(self, 2);
    sum += self;
  }
  CHECK(sum == n * (n - 1) / 2);
}

/* The inner teams' members have no threads of their own. */
static void inside(int n) {
  int done = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    {
      for (int i = 0; i <= n; ++i) flags[i] = 0;
#pragma omp parallel num_threads(n)
      {
        const int self = omp_get_thread_num();
        if (self != n - 1) wait_for(self + 1, 1);
        tell(self, 1);
#pragma omp atomic
        ++done;
      }
    }
  }
  omp_set_max_active_levels(1);
  CHECK(done == 2 * n);
}

/* Two threads' teams at a time: each has as many threads as members, both together have not. */
static int n_of_each;
static void* meet_often(void* argument) {
  (void)argument;
  const int n = n_of_each;
  for (int region = 0; region < 200; ++region) {
    int come = 0;
#pragma omp parallel num_threads(n)
    {
      __atomic_fetch_add(&come, 1, __ATOMIC_ACQ_REL);
      while (__atomic_load_n(&come, __ATOMIC_ACQUIRE) != n) {
      }
    }
    CHECK(come == n);
  }
  return NULL;
}
static void beside(int n) {
  n_of_each = n;
  pthread_t other;
  CHECK(pthread_create(&other, NULL, &meet_often, NULL) == 0);
  meet_often(NULL);
  pthread_join(other, NULL);
}

static int threads(void) {
  DIR* const tasks = opendir("/proc/self/task");
  int count = -2;
  while (readdir(tasks) != NULL) ++count;
  closedir(tasks);
  return count;
}

int main(void) {
  const int n = omp_get_max_threads();
  const int workers = atoi(getenv("TAKT_WORKERS"));
  CHECK(n <= k_most);
  for (int i = 0; i < 3; ++i) {
    chain(n);
    inside(n);
  }
  chain(n + 3);
  beside(n);
  /* Threads that members got are gone when those are; a team that had no room on takt's threads keeps its own. */
  while (threads() > workers + n - 1) sched_yield();
  chain(n);
  puts("right");
  return 0;
}
