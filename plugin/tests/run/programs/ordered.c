// ordered: parts of iterations in order.
#include "show.h"

int main(void) {
  int next = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
    long x = i * 3;
#pragma omp ordered
    v[next++] = x;
  }
  show("ordered");
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = n - 1; i >= 0; --i) {
#pragma omp ordered
    v[--next] += i;
  }
  show("down");
#pragma omp parallel for ordered(1)
  for (int i = 1; i < 200; ++i) {
#pragma omp ordered depend(sink : i - 1)
    v[i] = (v[i - 1] * 3 + i) % 1009;
#pragma omp ordered depend(source)
  }
  show("across iterations");
  return 0;
}
// converted: 0 loops, 0 regions, 3 left
