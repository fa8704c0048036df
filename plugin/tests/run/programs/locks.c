// Locks of the OpenMP runtime in loops, and around them.
#include "show.h"

#ifdef _OPENMP
#include <omp.h>
#else
typedef int omp_lock_t;
static void omp_init_lock(omp_lock_t *l) { *l = 0; }
static void omp_destroy_lock(omp_lock_t *l) { *l = 0; }
static void omp_set_lock(omp_lock_t *l) { *l = 1; }
static void omp_unset_lock(omp_lock_t *l) { *l = 0; }
#endif

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  long count = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    omp_set_lock(&lock);
    count += i;
    omp_unset_lock(&lock);
  }
  number("in iterations", count);
  for (int k = 0; k < 10; ++k) {
    omp_set_lock(&lock);
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < 100; ++i) count += i * k;
    omp_unset_lock(&lock);
  }
  number("around a loop", count);
  omp_destroy_lock(&lock);
  return 0;
}
// converted: 2 loops, 0 regions, 0 left
