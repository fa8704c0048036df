// lastprivate: what the last iteration left, of any schedule and type.
#include "show.h"

int main(void) {
  int a = -1;
  double b = -1;
  char c = 0;
  int row[4] = {0};
  struct pair {
    int x, y;
  } p = {0, 0};
#pragma omp parallel for lastprivate(a, b, c, row, p)
  for (int i = 0; i < n; ++i) {
    a = 2 * i;
    b = i / 2.0;
    c = (char)(i % 100);
    for (int k = 0; k < 4; ++k) row[k] = i + k;
    p.x = i;
    p.y = -i;
  }
  printf("%d %g %d %d %d %d\n", a, b, c, row[3], p.x, p.y);
#pragma omp parallel for lastprivate(a) schedule(dynamic, 3)
  for (int i = 0; i < n; i += 7) a = i;
  number("dynamic", a);
#pragma omp parallel for lastprivate(a) schedule(static, 2)
  for (int i = n; i > 3; i -= 5) a = i;
  number("chunks", a);
#pragma omp parallel for lastprivate(a) schedule(guided)
  for (unsigned long i = 3; i < n; i += 10) a = (int)i;
  number("guided", a);
  int i;
#pragma omp parallel for lastprivate(i)
  for (i = 0; i < n; i += 3) v[i] = i;
  number("the loop's variable", i);
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
