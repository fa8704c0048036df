// Loops in functions that call themselves.
#include "show.h"

static long queens(int size, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == size) return 1;
  long found = 0;
#pragma omp parallel for reduction(+ : found)
  for (int c = 0; c < size; ++c) {
    unsigned bit = 1u << c;
    if (((columns | left | right) & bit) == 0)
      found += queens(size, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}
static void sort(long *a, int count) {
  if (count < 2) return;
  long pivot = a[count / 2];
  int i = 0, j = count - 1;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) {
      long t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
#pragma omp parallel sections if (count > 20)
  {
#pragma omp section
    sort(a, j + 1);
#pragma omp section
    sort(a + i, count - i);
  }
}

int main(void) {
  number("queens", queens(6, 0, 0, 0, 0));
  for (int i = 0; i < n; ++i) v[i] = i * 7919l % 1009;
  sort(v, n);
  show("sorted");
  return 0;
}
// converted: 2 loops, 0 regions, 0 left
