// One variable that is firstprivate and lastprivate.
#include "show.h"

int main(void) {
  int both = 7;
  double real = 0.5;
#pragma omp parallel for firstprivate(both, real) lastprivate(both, real)
  for (int i = 0; i < n; ++i) {
    v[i] = 3;
    if (i == n - 1) {
      both = i;
      real = i;
    } else {
      v[i] += both + (long)(2 * real);
    }
  }
  show("both");
  printf("%d %g\n", both, real);
  int row[3] = {4, 5, 6};
#pragma omp parallel
  {
#pragma omp for firstprivate(row) lastprivate(row) schedule(dynamic, 2)
    for (int i = 0; i < n; ++i) {
      if (i == n - 1) row[1] = i;
      else v[i] += row[i % 3];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += row[1];
  }
  show("array");
  printf("%d\n", row[1]);
  return 0;
}
// converted: 3 loops, 2 regions, 0 left
