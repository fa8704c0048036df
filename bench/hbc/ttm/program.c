#include "hbc/ttm/program.h"

static void multiply(const struct hbc_ttm *a) {
  const int64_t slices = a->tensor.slices;
  const int64_t *slice_begin = a->tensor.slice_begin;
  const int64_t *fibre_begin = a->tensor.fibre_begin;
  const int32_t *k = a->tensor.k;
  const double *value = a->tensor.value;
  const int64_t rows = a->rows;
  const int64_t cols = a->cols;
  const double *c = a->matrix;
  double *result = a->result;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t i = 0; i < slices; ++i) {
    HBC_INNER(parallel for)
    for (int64_t f = slice_begin[i]; f < slice_begin[i + 1]; ++f) {
      HBC_INNER(parallel for)
      for (int64_t l = 0; l < rows; ++l) {
        double sum = 0.0;
        HBC_INNER(parallel for reduction(+ : sum))
        for (int64_t e = fibre_begin[f]; e < fibre_begin[f + 1]; ++e) {
          sum += value[e] * c[l * cols + k[e]];
        }
        result[f * rows + l] = sum;
      }
    }
  }
}

void HBC_ENTRY(ttm)(const struct hbc_ttm *a) {
  for (int64_t round = 0; round < a->rounds; ++round) {
    multiply(a);
  }
}
