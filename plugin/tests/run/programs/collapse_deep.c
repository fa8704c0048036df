// collapse of three and four loops over variables of several types.
#include "show.h"

int main(void) {
  int a = 10, b = 5;
#pragma omp parallel for collapse(3)
  for (int i = 0; i < a; ++i) {
    for (unsigned j = 0; j < 20; ++j) {
      for (long k = b - 1; k >= 0; --k) v[i * 100 + (int)j * 5 + k] = i - (long)j * k;
    }
  }
  show("three");
#pragma omp parallel for collapse(4) schedule(guided)
  for (short i = 0; i < 10; ++i) {
    for (char j = 0; j < 5; ++j) {
      for (int k = 0; k < 5; ++k) {
        for (unsigned long l = 0; l < 4; ++l) v[i * 100 + j * 20 + k * 4 + (int)l] += i * j + k * (int)l;
      }
    }
  }
  show("four");
  long s = 0;
#pragma omp parallel for collapse(3) reduction(+ : s)
  for (int i = 0; i < a; ++i) {
    for (int j = 0; j < a; ++j) {
      for (int k = 0; k < b; ++k) {
        for (int l = 0; l < 2; ++l) s += v[i * 100 + j * 10 + k * 2 + l] * (l + 1);
      }
    }
  }
  number("three of four", s);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
