// A taskwait that another file calls through a pointer, in a function without tasks of its own.
#include <stdio.h>

void other_call(void (*what)(void));
static long y;

static void slow(void) {
  for (volatile int j = 0; j < 2000; ++j) {
  }
  y = y * 10 + 1;
}

static void wait_here(void) {
#pragma omp taskwait
  y = y * 10 + 2;
}

int main(void) {
  for (int i = 0; i < 100; ++i) {
    y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      other_call(wait_here);
    }
    printf("%ld\n", y);
  }
  return 0;
}
