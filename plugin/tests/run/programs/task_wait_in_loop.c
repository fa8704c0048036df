// A taskwait in a loop: tasks wait at some of its rounds, and not at others.
#include <stdio.h>

static long rounds(int n, int every) {
  long part[64], sum = 0;
  int from = 0;
  for (int i = 0; i < n; i++) {
#pragma omp task shared(part) firstprivate(i)
    part[i] = (long)i * i + 1;
    if (i % every == every - 1) {
#pragma omp taskwait
      for (; from <= i; from++) sum = sum * 3 % 1000003 + part[from];
    }
  }
#pragma omp taskwait
  for (; from < n; from++) sum = sum * 3 % 1000003 + part[from];
  return sum;
}

int main(void) {
  long got[5];
#pragma omp parallel
#pragma omp single
  for (int e = 1; e <= 5; e++) got[e - 1] = rounds(60, e);
  for (int e = 0; e < 5; e++) printf("%ld\n", got[e]);
}
// converted: 0 loops, 1 regions, 0 left
