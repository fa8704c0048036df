// Products of matrices, with the loops in every order that can be shared out.
#include "show.h"

enum { m = 24 };
static double a[m][m], b[m][m], c[m][m];

static void report(const char *what) {
  double s = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) s += c[i][j] * (i + 2 * j);
  }
  printf("%s %.17g\n", what, s);
}

int main(void) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      a[i][j] = i - j;
      b[i][j] = i * j % 7;
    }
  }
#pragma omp parallel for
  for (int i = 0; i < m; ++i) {
#pragma omp parallel for
    for (int j = 0; j < m; ++j) {
      double s = 0;
#pragma omp parallel for reduction(+ : s)
      for (int k = 0; k < m; ++k) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  }
  report("nested");
  int i, j, k;
#pragma omp parallel private(i, j, k)
  {
#pragma omp for
    for (i = 0; i < m; ++i) {
      for (j = 0; j < m; ++j) c[i][j] = 0;
    }
    for (k = 0; k < m; ++k) {
#pragma omp for
      for (i = 0; i < m; ++i) {
        for (j = 0; j < m; ++j) c[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  report("one region");
  return 0;
}
// converted: 6 loops, 1 regions, 0 left
