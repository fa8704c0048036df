// Bounds and steps are computed once, before the loop.
#include "show.h"

static int calls;
static int counted(int x) {
#pragma omp atomic
  ++calls;
  return x;
}

int main(void) {
  int end = n, step = 2;
#pragma omp parallel for
  for (int i = 0; i < end; i += step) v[i] = end;
  show("variables");
#pragma omp parallel for
  for (int i = counted(3); i < counted(n); i += counted(5)) v[i] += i;
  show("calls");
  number("calls made", calls > 0);
  int table[3] = {10, 500, 3};
#pragma omp parallel for
  for (int i = table[0] * 2; i < table[1] + table[2]; i += table[2] - 1) v[i] -= 7;
  show("expressions");
  return 0;
}
// converted: 2 loops, 0 regions, 1 left
