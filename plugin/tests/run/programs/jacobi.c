// A region around an iteration until it converges.
#include "show.h"

int main(void) {
  static double a[32][32], b[32][32];
  double change = 1;
  int rounds = 0;
  for (int i = 0; i < 32; ++i) a[i][0] = b[i][0] = 100;
#pragma omp parallel
  {
    while (change > 0.05 && rounds < 400) {
#pragma omp barrier
#pragma omp single
      {
        change = 0;
        rounds++;
      }
#pragma omp for
      for (int i = 1; i < 31; ++i) {
        for (int j = 1; j < 31; ++j) b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
      }
#pragma omp for reduction(max : change) collapse(2)
      for (int i = 1; i < 31; ++i) {
        for (int j = 1; j < 31; ++j) {
          double d = b[i][j] > a[i][j] ? b[i][j] - a[i][j] : a[i][j] - b[i][j];
          if (d > change) change = d;
          a[i][j] = b[i][j];
        }
      }
    }
  }
  printf("%d %.12g %.12g\n", rounds, a[5][7], change);
  return 0;
}
// converted: 2 loops, 1 regions, 0 left
