// An iteration's sum does not fit its type.
#include <limits.h>

int main(void) {
  int n = 1000, from = INT_MAX - 900;
  static int v[1000];
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = from + i;
  return v[7] == 7;
}
