// Who unlocks the mutex on another thread than has locked it is told so.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static long row[40], count;
static int wrong;

static void each(void) {
#pragma omp parallel for
  for (int j = 0; j < 40; ++j) {
    for (int k = 0; k < 1000; ++k) row[j] = (row[j] * 31 + k) % 1000003;
  }
}

void add(int i) {
  // Some take longer, so that others look for work meanwhile.
  volatile long fill = 0;
  for (int k = 0; k < 500 * (i * 7 % 64); ++k) fill = fill + k;
  int error = pthread_mutex_lock(&mutex) != 0;
  each();
  ++count;
  error += pthread_mutex_unlock(&mutex) != 0;
#pragma omp atomic
  wrong += error;
}

long sum(void) {
  long all = count;
  for (int j = 0; j < 40; ++j) all = all * 7 % 1000003 + row[j];
  return all;
}

int errors(void) { return wrong; }
