// Critical sections with names and hints, one in another.
#include "show.h"

int main(void) {
  long a = 0, b = 0, both = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical(first)
    a += i;
#pragma omp critical(third) hint(1)
    b += 2 * i;
#pragma omp critical(first)
    {
#pragma omp critical(second)
      both = a > b ? both + 1 : both + 1;
    }
  }
  printf("%ld %ld %ld\n", a, b, both);
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
#pragma omp critical(first)
      a -= 1;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
#pragma omp critical(first)
      if (i % 2) {
        a += 3;
      } else {
        a += 4;
      }
    }
  }
  number("a", a);
  return 0;
}
// converted: 3 loops, 1 regions, 0 left
