// Arrays of variable length that tasks write to, made and gone in each round of a loop.
#include <stdio.h>

static long rounds(int n) {
  long sum = 0;
  for (int i = 1; i <= n; i++) {
    long room[i];
    for (int k = 0; k < i; k++) {
#pragma omp task shared(room) firstprivate(k)
      room[k] = (long)k * 5 + i;
    }
#pragma omp taskwait
    for (int k = 0; k < i; k++) sum = sum * 3 % 1000003 + room[k];
  }
  return sum;
}

int main(void) {
  long got = 0;
#pragma omp parallel
#pragma omp master
  got = rounds(20);
  printf("%ld\n", got);
}
// converted: 0 loops, 1 regions, 0 left
