// Whole arrays, of one and two dimensions.
#include "show.h"

int main(void) {
  int histogram[10] = {1};
  double table[3][4] = {{0}};
  long most[5];
  for (int k = 0; k < 5; ++k) most[k] = -1;
#pragma omp parallel for reduction(+ : histogram, table) reduction(max : most)
  for (int i = 0; i < n; ++i) {
    histogram[i * 7 % 10]++;
    table[i % 3][i % 4] += i;
    if (i * 37 % 1009 > most[i % 5]) most[i % 5] = i * 37 % 1009;
  }
  for (int k = 0; k < 10; ++k) number("histogram", histogram[k]);
  for (int k = 0; k < 12; ++k) number("table", (long)table[k / 4][k % 4]);
  for (int k = 0; k < 5; ++k) number("most", most[k]);
  return 0;
}
// converted: 1 loops, 0 regions, 0 left
