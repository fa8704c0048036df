// collapse(2): rectangles, with steps and lower bounds.
#include "show.h"

int main(void) {
  int rows = 25, columns = 40;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) v[i * columns + j] = i * j;
  }
  show("rows and columns");
#pragma omp parallel for collapse(2)
  for (int i = rows - 1; i > 0; i -= 3) {
    for (long j = 3; j <= columns - 2; j += 4) v[i * columns + j] += i + j;
  }
  show("steps");
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (unsigned i = 0; i < 25; ++i) {
    for (int j = 0; j < 40; ++j) {
      if (j % 5 == 0) continue;
      v[i * 40 + (unsigned)j] -= j;
    }
  }
  show("continue");
  long s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s) schedule(static, 7)
  for (int i = 0; i < 25; ++i) {
    for (int j = 0; j < 40; ++j) s += v[i * 40 + j] * (j + 1);
  }
  number("sum", s);
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
