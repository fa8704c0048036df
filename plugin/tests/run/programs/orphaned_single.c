// single, master and critical in functions.
#include "show.h"

static int singles, masters, criticals;
static void once(void) {
#pragma omp single
  singles++;
#pragma omp master
  masters++;
#pragma omp barrier
}
static void locked(void) {
#pragma omp critical(count)
  criticals++;
}

int main(void) {
#pragma omp parallel
  {
    once();
#pragma omp for
    for (int i = 0; i < n; ++i) locked();
    once();
  }
  once();
#pragma omp parallel for
  for (int i = 0; i < n; ++i) locked();
  printf("%d %d %d\n", singles, masters, criticals);
  return 0;
}
// converted: 2 loops, 1 regions, 0 left
