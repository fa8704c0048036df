// min and max on integers and floating-point numbers.
#include "show.h"
#include <limits.h>

int main(void) {
  for (int i = 0; i < n; ++i) v[i] = (long)(i * 2654435761u % 100003) - 50000;
  int least = INT_MAX, most = INT_MIN;
  unsigned short low = 65535, high = 0;
  long least_long = LONG_MAX, most_long = LONG_MIN;
  unsigned long top = 0;
  float least_single = 1e30f, most_single = -1e30f;
  double least_double = 1e300, most_double = -1e300;
#pragma omp parallel for reduction(min : least, low, least_long, least_single, least_double) \
    reduction(max : most, high, most_long, top, most_single, most_double) schedule(dynamic, 7)
  for (int i = 0; i < n; ++i) {
    int x = (int)v[i];
    if (x < least) least = x;
    if (x > most) most = x;
    unsigned short u = (unsigned short)(x & 0x7fff);
    low = u < low ? u : low;
    high = u > high ? u : high;
    least_long = v[i] * 1000003 < least_long ? v[i] * 1000003 : least_long;
    most_long = v[i] * 1000003 > most_long ? v[i] * 1000003 : most_long;
    if ((unsigned long)v[i] > top) top = (unsigned long)v[i];
    if ((float)x / 2 < least_single) least_single = (float)x / 2;
    if ((float)x / 2 > most_single) most_single = (float)x / 2;
    least_double = x * 0.25 < least_double ? x * 0.25 : least_double;
    most_double = x * 0.25 > most_double ? x * 0.25 : most_double;
  }
  printf("%d %d %u %u %ld %ld %lu\n", least, most, low, high, least_long, most_long, top);
  printf("%g %g %g %g\n", least_single, most_single, least_double, most_double);
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
