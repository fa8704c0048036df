// &, | and ^.
#include "show.h"

int main(void) {
  for (int i = 0; i < n; ++i) v[i] = (long)(i * 2654435761u);
  unsigned all = ~0u, any = 0, odd = 5;
  long wide = -1;
  unsigned char small = 0;
#pragma omp parallel for reduction(& : all, wide) reduction(| : any, small) reduction(^ : odd)
  for (int i = 0; i < n; ++i) {
    all &= (unsigned)v[i] | 0xf000u;
    wide &= v[i] | 0x7700000;
    any |= (unsigned)v[i] & 0x0ff0f0u;
    small |= (unsigned char)(v[i] & 0x41);
    odd ^= (unsigned)v[i];
  }
  number("and", all);
  number("and, long", wide);
  number("or", any);
  number("or, char", small);
  number("exclusive or", odd);
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
