// Sparse LU: a task for each block, a wait behind each of the two steps of a round.
#include "sparse_lu.h"

static void factor(block** a, int n) {
  for (int k = 0; k < n; ++k) {
    block* diagonal = a[k * n + k];
    divide(*diagonal);
    for (int i = k + 1; i < n; ++i) {
      if (a[k * n + i] != NULL) {
#pragma omp task
        forward(*diagonal, *a[k * n + i]);
      }
      if (a[i * n + k] != NULL) {
#pragma omp task
        backward(*diagonal, *a[i * n + k]);
      }
    }
#pragma omp taskwait
    for (int i = k + 1; i < n; ++i) {
      if (a[i * n + k] == NULL) continue;
      for (int j = k + 1; j < n; ++j) {
        if (a[k * n + j] == NULL) continue;
#pragma omp task
        {
          if (a[i * n + j] == NULL) a[i * n + j] = new_zero();
          update(*a[i * n + k], *a[k * n + j], *a[i * n + j]);
        }
      }
    }
#pragma omp taskwait
  }
}

int main(int argc, char** argv) {
  int n = size_or(argc, argv, 8);
  block** a = new_matrix(n);
  work_begins();
#pragma omp parallel
#pragma omp single
  factor(a, n);
  work_ends();
  show_and_free(a, n);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
