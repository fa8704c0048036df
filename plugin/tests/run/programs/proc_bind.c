// proc_bind says where threads run, not what they do.
#include "show.h"

int main(void) {
#pragma omp parallel for proc_bind(close)
  for (int i = 0; i < n; ++i) v[i] = i;
  show("close");
#pragma omp parallel for proc_bind(spread) num_threads(1)
  for (int i = 1; i < n; ++i) v[i] = (v[i - 1] * 3 + v[i]) % 1009;
  show("spread");
#pragma omp parallel for num_threads(3) proc_bind(primary) if (n > 5)
  for (int i = 0; i < n; ++i) v[i] += 2;
  show("primary");
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
