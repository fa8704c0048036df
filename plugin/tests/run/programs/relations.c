// Every relation that ends a loop.
#include "show.h"

int main(void) {
  int zero = 0, end = n;
#pragma omp parallel for
  for (int i = zero; i < end; i++) v[i] += 1;
#pragma omp parallel for
  for (int i = zero; i <= end - 1; ++i) v[i] += 2;
#pragma omp parallel for
  for (int i = end - 1; i > zero - 1; i--) v[i] += 4;
#pragma omp parallel for
  for (int i = end - 1; i >= zero; --i) v[i] += 8;
#pragma omp parallel for
  for (int i = zero; i != end; ++i) v[i] += 16;
#pragma omp parallel for
  for (int i = end - 1; i != zero - 1; --i) v[i] += 32;
#pragma omp parallel for
  for (int i = zero; end > i; i += 1) v[i] += 64;
#pragma omp parallel for schedule(dynamic)
  for (unsigned i = (unsigned)zero; (unsigned)end >= i; i += 2) v[i] += 128;
  show("all");
  return 0;
}
// converted: 8 loops, 0 regions, 0 left
