// Steps other than 1, that divide the distance or not.
#include "show.h"

int main(void) {
  for (int step = 1; step < 2 * n; step = 2 * step + 1) {
    for (int end = n - 3; end <= n; ++end) {
#pragma omp parallel for
      for (int i = 0; i < end; i += step) v[i] += step;
#pragma omp parallel for schedule(dynamic, 2)
      for (long i = 2; i <= end - 1; i = i + step) v[i] ^= 1;
#pragma omp parallel for schedule(static, 3)
      for (unsigned i = 1; i < (unsigned)end; i = (unsigned)step + i) v[i] += 3;
    }
  }
  show("up");
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
