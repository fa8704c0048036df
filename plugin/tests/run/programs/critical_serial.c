// Critical sections of a region that is split, in the copy for a team of one: by num_threads(1), and by if that is false.
#include <stdio.h>

static int v, w[8];

static void one(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp single
    {
#pragma omp critical
      v += 14;
    }
#pragma omp for
    for (int i = 0; i < 8; ++i) w[i] = i;
  }
}

static void none(int more) {
#pragma omp parallel if (more > 3)
  {
#pragma omp single
    {
#pragma omp critical(named)
      v *= 3;
    }
#pragma omp for
    for (int i = 0; i < 8; ++i) {
#pragma omp critical(named)
      v += i;
    }
  }
}

int main(void) {
  one();
  none(2);
  none(5);
  printf("%d %d\n", v, w[7]);
  return 0;
}
// converted: 2 loops, 2 regions, 0 left
