#include "hbc/spmv/program.h"

static void multiply(const struct hbc_matrix *a, const double *x, double *y) {
  const int64_t rows = a->rows;
  const int64_t *row_begin = a->row_begin;
  const int32_t *col = a->col;
  const double *value = a->value;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t r = 0; r < rows; ++r) {
    double sum = 0.0;
    HBC_INNER(parallel for reduction(+ : sum))
    for (int64_t e = row_begin[r]; e < row_begin[r + 1]; ++e) {
      sum += value[e] * x[col[e]];
    }
    y[r] = sum;
  }
}

void HBC_ENTRY(spmv)(const struct hbc_spmv *a) {
  for (int64_t round = 0; round < a->rounds; ++round) {
    multiply(&a->matrix, a->x, a->y);
  }
}
