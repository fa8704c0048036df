// Loops that can be cancelled.
#include "show.h"

int main(void) {
  int found = 0, never = 0;
#pragma omp parallel for shared(found)
  for (int i = 0; i < n; ++i) {
    v[i] = 0;
    if (i == 500) {
#pragma omp atomic write
      found = 1;
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  number("found", found);
#pragma omp parallel sections
  {
#pragma omp section
    found = 2;
#pragma omp section
    {
#pragma omp cancel sections if (never > 5)
      v[0] = 0;
    }
  }
  number("found", found);
  return 0;
}
// converted: 0 loops, 0 regions, 2 left
