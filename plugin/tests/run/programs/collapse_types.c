// collapse of loops over variables of different types.
#include "show.h"
#include <stdint.h>

int main(void) {
  long s = 0;
  int *from = (int *)v;
#pragma omp parallel for collapse(2) reduction(+ : s)
  for (unsigned char i = 0; i < 20; ++i) {
    for (long long j = -5; j < 5; ++j) s += i * j + j;
  }
  number("char and long long", s);
#pragma omp parallel for collapse(3) reduction(+ : s) schedule(static, 5)
  for (short i = 10; i > 0; i -= 3) {
    for (uint64_t j = UINT64_MAX - 5; j < UINT64_MAX; ++j) {
      for (int *p = from; p != from + 6; ++p) s += i * (long)(UINT64_MAX - j) + (p - from);
    }
  }
  number("short, uint64_t and pointers", s);
#pragma omp parallel for collapse(2) schedule(dynamic, 3)
  for (int8_t i = 127; i > -123; i -= 50) {
    for (uint16_t j = 65535; j >= 65530; --j) v[(127 - i) / 50 * 6 + 65535 - j] = i * j;
  }
  show("downwards");
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
