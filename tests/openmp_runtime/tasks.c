/* Tasks: waits, groups, dependences, taskloops, tasks that run at once, events. */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "check.h"

static int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a) if (n > 5)
  a = fib(n - 1);
#pragma omp task shared(b) final(n < 8)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void waits(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(16);
  CHECK(result == 987);
}

static int leaves;

static void tree(int depth) {
  if (depth == 0) {
#pragma omp atomic
    ++leaves;
    return;
  }
  for (int i = 0; i < 3; ++i) {
#pragma omp task
    tree(depth - 1);
  }
}

/* A loop in a task that is done before its iterations are. */
static void looped(int depth) {
#pragma omp taskloop nogroup grainsize(1)
  for (int i = 0; i < 3; ++i) {
    if (depth > 1) {
#pragma omp task
      looped(depth - 1);
    } else {
#pragma omp atomic
      ++leaves;
    }
  }
}

/* Nobody in between waits for its children, so that they outlive it; who waits asks from whom they descend. */
static void orphans(void) {
  for (int round = 0; round < 20; ++round) {
    leaves = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
      tree(6);
      CHECK(leaves == 729);
#pragma omp taskgroup
      looped(6);
      CHECK(leaves == 2 * 729);
    }
  }
}

static void at_barriers(void) {
  int done = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 50; ++i) {
#pragma omp task
      {
#pragma omp task
        {
#pragma omp atomic
          ++done;
        }
#pragma omp atomic
        ++done;
      }
    }
#pragma omp barrier
    CHECK(done == 100 * omp_get_num_threads());
#pragma omp barrier
#pragma omp single nowait
    {
      for (int i = 0; i < 500; ++i) {
#pragma omp task
        {
#pragma omp atomic
          ++done;
        }
      }
    }
  }
#pragma omp parallel
#pragma omp master
  CHECK(done == 100 * omp_get_num_threads() + 500);
}

static void groups(void) {
  int done = 0, other = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp atomic
      ++other;
    }
#pragma omp taskgroup
    {
      for (int i = 0; i < 20; ++i) {
#pragma omp task
        {
          for (int j = 0; j < 3; ++j) {
#pragma omp task
            {
#pragma omp atomic
              ++done;
            }
          }
        }
      }
    }
    CHECK(done == 60);
#pragma omp taskwait
    CHECK(other == 1);
  }
}

static void dependences(void) {
  enum { k_chain = 60 };
  int a = 0, b = 0, order[4] = {0};
  int readers = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < k_chain; ++i) {
#pragma omp task depend(inout : a) shared(a)
      {
        CHECK(a == i);
        a = i + 1;
      }
    }
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
    {
      CHECK(a == k_chain);
      b = 7;
    }
    for (int i = 0; i < 5; ++i) {
#pragma omp task depend(in : b) shared(b, readers)
      {
        CHECK(b == 7);
#pragma omp atomic
        ++readers;
      }
    }
#pragma omp task depend(out : b) shared(b, readers)
    {
      CHECK(readers == 5);
      b = 8;
    }
    /* Siblings that have nothing to do with it do not wait. */
#pragma omp task depend(out : order[0])
    order[0] = 1;
#pragma omp task depend(in : order[0]) depend(out : order[1])
    order[1] = order[0] + 1;
#pragma omp task depend(in : order[0]) depend(out : order[2])
    order[2] = order[0] + 2;
#pragma omp task depend(in : order[1], order[2]) depend(out : order[3]) if (0)
    order[3] = order[1] + order[2];
    CHECK(order[3] == 5);
#pragma omp taskwait
    CHECK(b == 8);
  }
}

static void sets(void) {
  int sum = 0, seen = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : sum) shared(sum)
    sum = 1;
    for (int i = 0; i < 10; ++i) {
#pragma omp task depend(mutexinoutset : sum) shared(sum)
      sum += 2;
    }
#pragma omp task depend(in : sum) shared(sum, seen)
    seen = sum;
  }
  CHECK(seen == 21);
}

static void taskloops(void) {
  enum { k_n = 300 };
  static int hits[k_n];
  memset(hits, 0, sizeof hits);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (int i = 0; i < k_n; ++i) hits[i]++;
    for (int i = 0; i < k_n; ++i) CHECK(hits[i] == 1);
#pragma omp taskloop grainsize(7)
    for (int i = k_n - 1; i >= 0; --i) hits[i]++;
    int last = 0;
#pragma omp taskloop num_tasks(11) lastprivate(last)
    for (unsigned long long i = 0; i < k_n; ++i) {
      hits[i]++;
      last = (int)i;
    }
    CHECK(last == k_n - 1);
#pragma omp taskloop nogroup if (0)
    for (int i = 0; i < k_n; ++i) hits[i]++;
#pragma omp taskwait
  }
  for (int i = 0; i < k_n; ++i) CHECK(hits[i] == 4);
}

static void at_once(void) {
  int at = 0;
#pragma omp parallel
#pragma omp single
  {
    int before = omp_get_thread_num();
#pragma omp task if (0) shared(at)
    {
      at = 1;
      CHECK(omp_get_thread_num() == before);
    }
    CHECK(at == 1);
#pragma omp task final(1) shared(at)
    {
      CHECK(omp_in_final());
#pragma omp task shared(at)
      at = 2;
      CHECK(at == 2);
    }
#pragma omp taskwait
#pragma omp taskyield
  }
  /* Outside of regions. */
#pragma omp task shared(at)
  at = 3;
#pragma omp taskwait
  CHECK(at == 3);
  /* Their children outlive them; and more than may wait, each of which is at once or not. */
  int children = 0;
#pragma omp parallel
  for (int i = 0; i < 1000; ++i) {
#pragma omp task if (i % 2) shared(children)
    {
#pragma omp task shared(children)
      {
#pragma omp atomic
        ++children;
      }
    }
  }
  CHECK(children == 1000 * omp_get_max_threads());
}

static void events(void) {
#if _OPENMP >= 201811 || defined(__clang__) || __GNUC__ >= 11
  int done = 0;
  omp_event_handle_t event;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task detach(event) shared(done)
    {
      done = 1;
    }
#pragma omp task shared(done)
    {
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK(done == 1);
    /* One that is at once has its event meanwhile. */
#pragma omp task if (0) detach(event) shared(done)
    {
      done = 2;
      omp_fulfill_event(event);
    }
    CHECK(done == 2);
#pragma omp taskwait
  }
#endif
}

/* Tasks of tasks that are over, in a group: a waiter looks whose descendants they are. */
static void descendants(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 20; ++i) {
#pragma omp task shared(done)
    for (int j = 0; j < 3; ++j) {
#pragma omp task shared(done)
      for (int k = 0; k < 3; ++k) {
#pragma omp task shared(done)
        {
#pragma omp taskloop shared(done)
          for (int l = 0; l < 3; ++l) {
#pragma omp atomic
            ++done;
          }
        }
      }
    }
  }
  CHECK(done == 540);
}

/* An untied task may go on elsewhere behind each point where it can wait. */
static void untied(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; ++i) {
#pragma omp task untied shared(sum) firstprivate(i)
    {
#pragma omp critical
      sum += i;
#pragma omp taskyield
#pragma omp critical(other)
      sum += 1;
    }
#pragma omp taskwait
  }
  CHECK(sum == 55);
#pragma omp parallel if (0)
  {
#pragma omp task untied shared(sum)
    {
#pragma omp taskyield
#pragma omp critical
      sum += 5;
    }
#pragma omp taskwait
  }
  CHECK(sum == 60);
}

/* Code that is alone waits for no task whose event it will bring about itself. */
static void events_alone(void) {
#if _OPENMP >= 201811 || defined(__clang__) || __GNUC__ >= 11
  int done = 0;
#pragma omp parallel num_threads(1)
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done)
    {
    }
#pragma omp task depend(in : done) shared(done)
    done = 1;
    CHECK(done == 0);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(done == 1);
  }
#endif
}

#if _OPENMP >= 201811 || defined(__clang__) || __GNUC__ >= 11
/* The region's last task ends by an event that another thread fulfils: the region may end at once, and the next begin. */
static omp_event_handle_t given;
static int state;   /* 1: an event is given; 2: no more */
static sem_t asks;  /* for a look at it */

static void* fulfil(void* argument) {
  for (;;) {
    sem_wait(&asks);
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 2) return argument;
    const omp_event_handle_t event = given;
    __atomic_store_n(&state, 0, __ATOMIC_RELEASE);
    omp_fulfill_event(event);
  }
}

static void events_of_others(void) {
  int bodies = 0;
  pthread_t other;
  state = 0;
  CHECK(sem_init(&asks, 0, 0) == 0);
  CHECK(pthread_create(&other, NULL, &fulfil, NULL) == 0);
  for (int i = 0; i < 300; ++i) {
#pragma omp parallel num_threads(i % 3 + 1)
#pragma omp single
    {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(bodies)
#pragma omp atomic
      ++bodies;
      given = event;
      __atomic_store_n(&state, 1, __ATOMIC_RELEASE);
      sem_post(&asks);
    }
    CHECK(__atomic_load_n(&state, __ATOMIC_ACQUIRE) == 0);
  }
  __atomic_store_n(&state, 2, __ATOMIC_RELEASE);
  sem_post(&asks);
  pthread_join(other, NULL);
  sem_destroy(&asks);
  CHECK(bodies == 300);
}
#else
static void events_of_others(void) {}
#endif

int main(void) {
  for (int i = 0; i < 5; ++i) {
    descendants();
    untied();
    events_alone();
    waits();
    orphans();
    at_barriers();
    groups();
    dependences();
    sets();
    taskloops();
    at_once();
    events();
    events_of_others();
  }
  puts("right");
  return 0;
}
