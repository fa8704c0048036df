// Rows with bounds of 64 bits, most of them short, some empty, reversed, or at the ends of the type: often enough for the
// short ones not to be asked about.
#include "show.h"
#include <limits.h>

enum { kinds = 8 };

int main(void) {
  const long first[kinds] = {0, 5, 7, LONG_MAX - 2, LONG_MIN, LONG_MAX, LONG_MAX - 1, 3};
  const long last[kinds] = {3, 5, 2, LONG_MAX, LONG_MIN + 2, LONG_MIN, LONG_MIN + 1, 400};
  const unsigned long least[kinds] = {0, 5, 7, ULONG_MAX - 3, LONG_MAX, ULONG_MAX, 0, 3};
  const unsigned long past[kinds] = {3, 5, 2, ULONG_MAX, LONG_MAX + 2ul, 0, 0, 400};
  const long rows = 30000;
  unsigned long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long r = 0; r < rows; ++r) {
    unsigned long mine = 0;
#pragma omp parallel for reduction(+ : mine)
    for (long i = first[r % kinds]; i < last[r % kinds]; ++i) mine += (unsigned long)i * 3 + 1;
    sum += mine * (unsigned long)r;
  }
  number("signed", (long)sum);
  sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long r = 0; r < rows; ++r) {
    unsigned long mine = 0;
#pragma omp parallel for reduction(+ : mine)
    for (unsigned long i = least[r % kinds]; i < past[r % kinds]; ++i) mine += i * 5 + 1;
    sum += mine * (unsigned long)r;
  }
  number("unsigned", (long)sum);
  sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long r = 0; r < rows; ++r) {
    unsigned long mine = 0;
#pragma omp parallel for reduction(+ : mine)
    for (long i = last[r % kinds]; i > first[r % kinds]; --i) mine += (unsigned long)i * 7 + 1;
    sum += mine * (unsigned long)r;
  }
  number("down", (long)sum);
  return 0;
}
// converted: 6 loops, 0 regions, 0 left
