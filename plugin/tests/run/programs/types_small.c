// Loop variables narrower than int.
#include "show.h"

int main(void) {
#pragma omp parallel for
  for (signed char i = -128; i < 127; ++i) v[i + 128]++;
  show("signed char");
#pragma omp parallel for schedule(dynamic, 3)
  for (unsigned char i = 0; i < 255; ++i) v[i] += i;
  show("unsigned char");
#pragma omp parallel for
  for (short i = -500; i <= 499; i += 3) v[i + 500] += i;
  show("short");
  unsigned short end = n;
#pragma omp parallel for
  for (unsigned short i = 0; i < end; i++) v[i] += 2;
  show("unsigned short");
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (short i = 32767; i > 32000; --i) s += i;
  number("short, down", s);
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
