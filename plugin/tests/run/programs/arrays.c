// Arrays that have memory of their own, and such as have the same, or get that of others.
#include <stdlib.h>

#include "cases.h"

static long *longs(void) { return calloc(n + 1, sizeof(long)); }
static void take(const long *a) {
  for (int i = 0; i < n; ++i) v[i] += a[i];
}
/* Each turn gives memory back, and the other variable is the first to get some in the next. */
CASE(allocated_anew) {
  for (int turn = 0; turn < 6; ++turn) {
    long *a = NULL, *b = NULL;
    if (turn % 2) {
      a = malloc((n + 1) * sizeof(long));
      b = calloc(n + 1, sizeof(long));
    } else {
      b = calloc(n + 1, sizeof(long));
      a = malloc((n + 1) * sizeof(long));
    }
    for (int again = 0; again < 3; ++again) {
#pragma omp parallel for
      for (int i = 0; i < n; ++i) a[i] = b[i + 1] + turn;
#pragma omp parallel for
      for (int i = 0; i < n; ++i) b[i] = a[i] * 2 + v[i];
    }
    take(b);
    free(a);
    free(b);
  }
  return taken();
}
CASE(copied) {
  long *a = longs(), *b = a;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] += 2;
    a[i] *= 3;
  }
  take(a);
  free(a);
  return taken();
}
CASE(swapped) {
  long *a = longs(), *b = longs();
  for (int turn = 0; turn < 5; ++turn) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) a[i] = b[i + 1] + i * turn;
    long *c = a;
    a = b;
    b = c;
  }
  take(a);
  take(b);
  free(a);
  free(b);
  return taken();
}
CASE(grown) {
  long *a = malloc(8), *b = longs();
  a = realloc(a, (n + 1) * sizeof(long));
  long *before = a;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    before[i] += b[i] + 7;
    a[i] *= 2;
  }
  take(a);
  free(a);
  free(b);
  return taken();
}
CASE(rows) {
  long **all = malloc(4 * sizeof(long *)), *a = longs();
  for (int k = 0; k < 4; ++k) all[k] = a;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    for (int k = 0; k < 4; ++k) all[k][i] += k;
    a[i] *= 5;
  }
  take(a);
  free(a);
  free(all);
  return taken();
}
CASE(nested) {
  long *a = longs(), *b = longs(), *c = longs();
#pragma omp parallel for
  for (int i = 0; i < n / 8; ++i) {
#pragma omp parallel for
    for (int k = 0; k < 8; ++k) {
      b[8 * i + k] = i - k;
      c[8 * i + k] = k;
      a[8 * i + k] += b[8 * i + k] * 3 + c[8 * i + k];
    }
  }
  take(a);
  free(a);
  free(b);
  free(c);
  return taken();
}

int main(void) {
  RUN(allocated_anew);
  RUN(copied);
  RUN(swapped);
  RUN(grown);
  RUN(rows);
  RUN(nested);
  return 0;
}
// converted: 8 loops, 0 regions, 0 left
