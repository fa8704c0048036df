// Mutexes in iterations and tasks. Who unlocks one that another thread has locked is told so.
#define _GNU_SOURCE
#include <pthread.h>

#include "fib.h"
#include "show.h"

static pthread_mutex_t mutex;
static long count, errors;

static void lock(void) {
  const int error = pthread_mutex_lock(&mutex) != 0;
#pragma omp atomic
  errors += error;
}
static void unlock(void) {
  const int error = pthread_mutex_unlock(&mutex) != 0;
#pragma omp atomic
  errors += error;
}

static void rows(void) {
  // Some take longer, so that others look for work meanwhile.
#pragma omp parallel for
  for (int i = 0; i < 64; ++i) {
    unsigned long fill = 0;
    for (unsigned k = 0; k < 500u * (unsigned)(i * 7 % 64); ++k) fill += k ^ fill;
    lock();
    v[n] += (long)(fill & 1);
#pragma omp parallel for
    for (int j = 0; j < 40; ++j) {
      long one = v[j];
      for (int k = 0; k < 1000; ++k) one = (one * 31 + k) % 1000003;
      v[j] = one;
    }
    count += 1;
    unlock();
  }
}

static void short_ones(void) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    if (pthread_mutex_trylock(&mutex) == 0) {
      ++count;
      unlock();
    } else {
      lock();
      ++count;
      unlock();
    }
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < 4; ++j) sum += j;
#pragma omp atomic
    v[50] += sum;
  }
}

static void tasks(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task
    {
      lock();
#pragma omp task
      {
#pragma omp atomic
        v[0] += 1;
      }
#pragma omp taskwait
      ++count;
      unlock();
    }
  }
}

static void tasks_beside(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task
    {
      lock();
      ++count;
      unlock();
#pragma omp task
      {
#pragma omp atomic
        v[0] += 1;
      }
    }
  }
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &kind);
  for (int k = 0; k < 20; ++k) rows();
  short_ones();
  tasks();
  tasks_beside();
  number("count", count);
  number("errors", errors);
  show("rows");
  return 0;
}
// converted: 3 loops, 1 regions, 2 left
