// depend(inout : omp_all_memory): behind all tasks before, and before all behind it.
#include "show.h"

int main(void) {
  long several[8] = {0}, x = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task depend(out : several[i % 8])
    several[i % 8] += i;
    if (i % 5 == 4) {
#pragma omp task depend(inout : omp_all_memory)
      for (int k = 0; k < 8; ++k) x = (x * 3 + several[k]) % 1000003;
    }
  }
  number("all memory", x);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
