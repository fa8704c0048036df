// Loops in loops: triangles, empty rows, one long row.
#include "show.h"

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 45; ++i) {
#pragma omp parallel for
    for (int j = 0; j < i; ++j) v[i * (i - 1) / 2 + j] = i * j;
  }
  show("triangle");
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 100; ++i) {
#pragma omp parallel for schedule(static, 2)
    for (int j = 0; j < (i == 3 ? 500 : i % 3); ++j) {
#pragma omp atomic
      v[(i + j) % n] += j;
    }
  }
  show("uneven");
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 30; ++i) {
#pragma omp parallel for
    for (int j = 0; j < 30; ++j) v[i * 30 + j] += i;
    for (int j = 0; j < 30; ++j) s += v[i * 30 + j];
  }
  number("sum", s);
  return 0;
}
// converted: 6 loops, 0 regions, 0 left
