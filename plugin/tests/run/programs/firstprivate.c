// firstprivate: every thread starts with what was there.
#include "show.h"

int main(void) {
  char c = 3;
  short s = 300;
  float f = 2.5f;
  double d = 1.25;
  long long wide = 1ll << 40;
  int row[5] = {1, 2, 3, 4, 5};
  struct pair {
    int a;
    double b;
  } p = {4, 0.5};
  int length = 4;
  int vla[length];
  for (int i = 0; i < length; ++i) vla[i] = 10 * i;
  const long *pointer = &v[n];
#pragma omp parallel for firstprivate(c, s, f, d, wide, row, p, vla, pointer)
  for (int i = 0; i < n; ++i) {
    v[i] = c + s + (long)(f * d * i) + (wide >> 38) + row[i % 5] + p.a + (long)(p.b * i) + vla[i % 4] + *pointer;
  }
  show("firstprivate");
  row[0] = 5;
#pragma omp parallel for firstprivate(row, d) schedule(dynamic, 4)
  for (int i = 0; i < n; ++i) {
    row[1] = i;
    v[i] += row[0] + row[1] + (long)d;
  }
  show("written");
  return 0;
}
// converted: 2 loops, 0 regions, 0 left
