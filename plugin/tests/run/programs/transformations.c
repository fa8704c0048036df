// tile and unroll under a loop that is shared out.
#include "show.h"

int main(void) {
#pragma omp parallel for
#pragma omp tile sizes(5)
  for (int i = 0; i < n; ++i) v[i] = i;
  show("tiles");
#pragma omp parallel for
#pragma omp unroll partial(4)
  for (int i = 0; i < n; ++i) v[i] += 3;
  show("unrolled");
#pragma omp parallel for collapse(2)
#pragma omp tile sizes(4, 8)
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 50; ++j) v[i * 50 + j] += i - j;
  }
  show("tiles of two loops");
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
