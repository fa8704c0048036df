// collapse of loops whose bounds depend on each other.
#include "show.h"

int main(void) {
  int m = 40;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < i; ++j) v[i * (i - 1) / 2 + j] = i * 100 + j;
  }
  show("lower");
#pragma omp parallel for collapse(2) schedule(dynamic, 3)
  for (int i = 0; i < m; ++i) {
    for (int j = i; j < m; ++j) {
#pragma omp atomic
      v[(i + j) % n] += i - j;
    }
  }
  show("upper");
  long s = 0;
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (int i = 2; i < m; i += 2) {
    for (int j = 2 * i + 1; j < 3 * i + 5; ++j) s += i * j;
  }
  number("slanted", s);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
