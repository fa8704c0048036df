// Reductions in loops in loops.
#include "show.h"

int main(void) {
  long all = 0;
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < 60; ++i) {
    long row = 0;
#pragma omp parallel for reduction(+ : row)
    for (int j = 0; j < i; ++j) {
      int odd = 0;
#pragma omp parallel for reduction(^ : odd)
      for (int k = 0; k < j; ++k) odd ^= k * i;
      row += odd;
    }
    int most = -1;
#pragma omp parallel for reduction(max : most)
    for (int j = 0; j < 20; ++j) most = j * i % 17 > most ? j * i % 17 : most;
    all += row + most;
  }
  number("nested", all);
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
