// collapse with lastprivate, firstprivate and schedules.
#include "show.h"

int main(void) {
  int last = -1, i_last = -1, offset = 6;
#pragma omp parallel for collapse(2) lastprivate(last, i_last) schedule(static, 11)
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 50; ++j) {
      v[i * 50 + j] = j - i;
      last = i * 50 + j;
      i_last = i;
    }
  }
  show("chunks");
  number("last", last);
  number("last row", i_last);
#pragma omp parallel for collapse(2) firstprivate(offset) schedule(dynamic, 4) lastprivate(last)
  for (int i = 0; i < 20; ++i) {
    for (int j = 49; j >= 0; --j) {
      v[i * 50 + j] += offset;
      last = j;
    }
  }
  show("offset");
  number("last", last);
  int x, y;
#pragma omp parallel for simd collapse(2) lastprivate(x, y)
  for (x = 0; x < 10; ++x) {
    for (y = 0; y < 100; ++y) v[x * 100 + y] ^= 3;
  }
  show("simd");
  number("the loops' variables", x * 1000 + y);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
