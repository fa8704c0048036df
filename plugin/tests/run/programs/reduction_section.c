// Array sections: of constant length, through pointers, from the middle, and of variable length.
#include "show.h"

int main(void) {
  long *heap = v;
  int local[20] = {0};
#pragma omp parallel for reduction(+ : local[0 : 20])
  for (int i = 0; i < n; ++i) local[i % 20] += i;
#pragma omp parallel for reduction(+ : local[5 : 10]) schedule(dynamic)
  for (int i = 0; i < n; ++i) local[5 + i % 10]++;
#pragma omp parallel for reduction(+ : heap[0 : 16])
  for (int i = 0; i < n; ++i) heap[i % 16] += 2;
  int length = 12;
#pragma omp parallel for reduction(max : heap[20 : length])
  for (int i = 0; i < n; ++i) {
    if (i > heap[20 + i % length]) heap[20 + i % length] = i;
  }
  for (int k = 0; k < 20; ++k) number("local", local[k]);
  show("heap");
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
