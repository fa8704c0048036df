// Sections and iterations that wait for one another, each for the one behind it: with fewer workers than that they
// would never end.
#include <stdio.h>

enum { k_many = 4 };
static int ready[k_many + 1], room, taken;

static int is_ready(int which) {
  int seen;
#pragma omp critical
  seen = ready[which];
  return seen;
}

static void pass_on(int from, int count) {
#ifdef _OPENMP
  while (count > 0) {
#pragma omp critical
    if (ready[from + 1] >= count) {
      ready[from]++;
      count--;
    }
  }
#else
  ready[from] += count;
#endif
}

static void wait_for(int which) {
#ifdef _OPENMP
  int seen = 0;
  while (!seen) seen = is_ready(which);
#else
  ready[which] = 1;
#endif
}

int main(void) {
  ready[k_many] = 1;
#pragma omp parallel sections num_threads(k_many)
  {
#pragma omp section
    pass_on(0, 1);
#pragma omp section
    pass_on(1, 1);
#pragma omp section
    pass_on(2, 1);
#pragma omp section
    pass_on(3, 1);
  }
  for (int i = 0; i < k_many; ++i) {
    printf("%d\n", ready[i]);
    ready[i] = 0;
  }
#pragma omp parallel for num_threads(k_many)
  for (int i = 0; i < k_many; ++i) {
    wait_for(i + 1);
#pragma omp critical
    ready[i] = 1;
  }
  for (int i = 0; i < k_many; ++i) printf("%d\n", ready[i]);
  // Nobody waits here: who finds nothing goes.
  room = 100;
#pragma omp parallel for
  for (int i = 0; i < k_many; ++i) {
    int got;
    do {
      got = 0;
#pragma omp critical
      if (room > 0) {
        room--;
        got = 1;
      }
      if (got) {
#pragma omp atomic
        taken++;
      }
    } while (got);
  }
  printf("%d\n", taken);
}
// converted: 1 loops, 0 regions, 2 left
