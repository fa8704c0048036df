// atomic read, write, capture and compare.
#include "show.h"

int main(void) {
  int next = 0, flag = 0, most = -1;
  long long wide = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    int mine;
#pragma omp atomic capture
    mine = next++;
    v[mine] = 1;
    int seen;
#pragma omp atomic read
    seen = flag;
    if (seen == 0) {
#pragma omp atomic write
      flag = 1;
    }
    long long before;
#pragma omp atomic capture
    {
      before = wide;
      wide += 3;
    }
#pragma omp atomic
    v[n] += before;
    int value = i * 37 % 1009;
#pragma omp atomic compare
    if (most < value) {
      most = value;
    }
  }
  show("each got a number");
  printf("%d %d %d %lld\n", next, flag, most, wide);
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
