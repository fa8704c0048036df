// schedule(static): blocks, and chunks of every size up to more than there are iterations.
#include "show.h"

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) v[i] = 3 * i;
  show("blocks");
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; ++i) v[i] += i;
  show("chunks of one");
  for (int chunk = 1; chunk < 2 * n; chunk = 3 * chunk + 1) {
#pragma omp parallel for schedule(static, chunk)
    for (int i = 0; i < n; ++i) v[i] += chunk;
    show("chunks");
  }
#pragma omp parallel for schedule(static, n)
  for (int i = 0; i < n; ++i) v[i] -= i;
  show("one chunk");
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
