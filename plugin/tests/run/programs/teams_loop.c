// A loop of teams without "parallel", which Clang 19 gives to the teams alone.
#include "show.h"

int main(void) {
  for (int i = 0; i <= n; ++i) v[i] = i;
#pragma omp teams loop
  for (int i = 0; i < n; ++i) v[i] += 6;
  show("teams loop");
  return 0;
}
// converted: 0 loops, 0 regions, 0 left
