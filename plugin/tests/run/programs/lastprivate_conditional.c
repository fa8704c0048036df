// lastprivate(conditional: ...): the last value that was assigned.
#include "show.h"

int main(void) {
  int found = -1;
#pragma omp parallel for lastprivate(conditional : found)
  for (int i = 0; i < n; ++i) {
    v[i] = i * 37 % 101;
    if (v[i] == 5) found = i;
  }
  show("values");
  number("last that was found", found);
  return 0;
}
// converted: 0 loops, 0 regions, 1 left
