// The last iteration writes behind the end of an array.
#include <stdlib.h>

int main(void) {
  int n = 1000;
  long *v = malloc(n * sizeof(long));
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i + 1] = i;
  long last = v[n - 1];
  free(v);
  return last == n;
}
