// Modifiers of schedules.
#include "show.h"

int main(void) {
#pragma omp parallel for schedule(monotonic : static, 4)
  for (int i = 0; i < n; ++i) v[i] = i;
  show("monotonic static");
#pragma omp parallel for schedule(nonmonotonic : dynamic, 4)
  for (int i = 0; i < n; ++i) v[i] += i;
  show("nonmonotonic dynamic");
#pragma omp parallel for schedule(monotonic : guided)
  for (int i = 0; i < n; ++i) v[i] += 2 * i;
  show("monotonic guided");
#pragma omp parallel for simd schedule(simd : dynamic, 8)
  for (int i = 0; i < n; ++i) v[i] -= 5;
  show("simd dynamic");
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
