// && and ||.
#include "show.h"
#include <stdbool.h>

int main(void) {
  for (int i = 0; i < n; ++i) v[i] = i * 31 % 257;
  for (int wanted = 250; wanted < 260; ++wanted) {
    bool every = true, some = false;
    int all = 1, any = 0;
#pragma omp parallel for reduction(&& : every, all) reduction(|| : some, any)
    for (int i = 0; i < n; ++i) {
      every = every && v[i] < wanted;
      some = some || v[i] == wanted;
      all = all && v[i] != wanted;
      any = any || v[i] > wanted;
    }
    number("logic", every + 2 * some + 4 * all + 8 * any);
  }
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
