// Loop variables wider than int.
#include "show.h"
#include <stddef.h>
#include <stdint.h>

int main(void) {
#pragma omp parallel for
  for (long long i = 0; i < n; ++i) v[i] = i;
  show("long long");
#pragma omp parallel for schedule(dynamic)
  for (unsigned long long i = 0; i < n; ++i) v[i] += 1;
  show("unsigned long long");
  size_t end = n;
#pragma omp parallel for schedule(static, 7)
  for (size_t i = 1; i < end; ++i) v[i] += (long)i;
  show("size_t");
#pragma omp parallel for
  for (int64_t i = n - 1; i > -1; i -= 2) v[i] *= 2;
  show("int64_t");
  uintptr_t from = 5, to = n;
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (uintptr_t i = from; i <= to - 1; i += 4) s += v[i];
  number("uintptr_t", s);
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
