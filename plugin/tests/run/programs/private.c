// private: scalars, arrays, structs and arrays of variable length; nothing comes in or out.
#include "show.h"

int main(void) {
  int k = 99, length = 6;
  double real = 1.5;
  int row[8] = {7};
  struct pair {
    int a, b;
  } p = {1, 2};
  long wide[length];
  for (int i = 0; i < length; ++i) wide[i] = -1;
#pragma omp parallel for private(k, real, row, p, wide)
  for (int i = 0; i < n; ++i) {
    for (k = 0; k < 8; ++k) row[k] = i + k;
    for (k = 0; k < length; ++k) wide[k] = row[k] * 2;
    p.a = row[3];
    p.b = (int)wide[4];
    real = p.a * 0.5;
    v[i] = p.b + (long)(2 * real);
  }
  show("private");
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
