// if: serial, in order, when it is false.
#include "show.h"

int main(void) {
  int order = 0;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel for if (round == 1)
    for (int i = 0; i < n; ++i) v[i] = i * round;
    show("either");
#pragma omp parallel for if (0)
    for (int i = 0; i < n; ++i) v[i] = order++;
    show("never");
#pragma omp parallel for if (parallel : round > 5) schedule(dynamic, 2)
    for (int i = 1; i < n; ++i) v[i] = (v[i - 1] * 3 + i) % 1009;
    show("in order");
#pragma omp parallel for if (1)
    for (int i = 0; i < n; ++i) v[i] += round;
    show("always");
#pragma omp parallel if (round > 7)
    {
#pragma omp for
      for (int i = 1; i < n; ++i) v[i] = (v[i - 1] * 5 + i) % 1009;
#pragma omp single
      v[0]++;
#pragma omp for schedule(static, 3)
      for (int i = 1; i < n; ++i) v[i] = (v[i - 1] * 7 + i) % 1009;
    }
    show("region in order");
  }
  return 0;
}
// converted: 5 loops, 1 regions, 0 left
