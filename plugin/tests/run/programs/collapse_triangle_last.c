// lastprivate of nests that are not rectangular: Clang leaves out iterations of a rectangle, which may be its last ones.
#include "show.h"

int main(void) {
  int m = 300, x = 5;
  long y = 5;
#pragma omp parallel for collapse(2) lastprivate(x)
  for (int i = 0; i < m; ++i) {
    for (int j = i; j < m; ++j) x = i * 1000 + j;
  }
  number("upper", x);
#pragma omp parallel
  {
#pragma omp for collapse(3) lastprivate(y) nowait
    for (long i = 40; i > 2; i -= 3) {
      for (int j = 0; j < 2 * i + 1; ++j) {
        for (int k = 0; k < 3; ++k) y = i * 1000 + j * 10 + k;
      }
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i;
  }
  number("of a region", y);
  show("beside it");
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) lastprivate(x)
  for (int i = 0; i < m; ++i) {
    for (int j = i; j < m; ++j) x = i * 1001 + j;
  }
  number("of tasks", x);
#pragma omp parallel for collapse(2) lastprivate(x)
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      if (i < m) x = i * 1000 + j;
    }
  }
  number("rectangle", x);
  return 0;
}
// converted: 1 loops, 0 regions, 3 left
