// A loop that calls a function of another file, which holds a mutex over a loop.
#include <stdio.h>

void add(int i);
long sum(void);
int errors(void);

int main(void) {
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for
    for (int i = 0; i < 64; ++i) add(i);
  }
  printf("%ld %d\n", sum(), errors());
  return 0;
}
