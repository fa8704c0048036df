// schedule(dynamic): each iteration once, whoever runs it.
#include "show.h"

int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i) v[i] = i;
  show("one by one");
  for (int chunk = 1; chunk < 2 * n; chunk *= 5) {
#pragma omp parallel for schedule(dynamic, chunk)
    for (int i = 0; i < n; ++i) v[i] += i ^ chunk;
    show("chunks");
  }
  long busy = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : busy)
  for (long i = 0; i < 200; ++i) {
    for (long k = 0; k < i * i % 997; ++k) busy += k & 3;
  }
  number("irregular", busy);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
