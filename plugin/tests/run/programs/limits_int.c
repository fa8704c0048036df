// Bounds at the ends of int.
#include "show.h"
#include <limits.h>

int main(void) {
#pragma omp parallel for
  for (int i = INT_MIN; i < INT_MIN + n; ++i) v[i - INT_MIN]++;
  show("from INT_MIN");
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = INT_MAX - n; i < INT_MAX; ++i) v[i - (INT_MAX - n)] += 2;
  show("to INT_MAX");
#pragma omp parallel for schedule(guided)
  for (int i = INT_MAX; i > INT_MAX - n; --i) v[INT_MAX - i] += 3;
  show("down from INT_MAX");
  long count = 0;
  int low = INT_MIN, high = INT_MAX;
#pragma omp parallel for reduction(+ : count)
  for (int i = low; i < high - (1 << 24); i += 1 << 24) count += i >> 24;
  number("all of it", count);
#pragma omp parallel for reduction(+ : count) schedule(dynamic)
  for (int i = high; i > low + (1 << 24); i -= 1 << 24) ++count;
  number("all of it, down", count);
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
