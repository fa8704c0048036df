#include "hbc/ttv/program.h"

static void multiply(const struct hbc_tensor *b, const double *c, double *result) {
  const int64_t slices = b->slices;
  const int64_t *slice_begin = b->slice_begin;
  const int64_t *fibre_begin = b->fibre_begin;
  const int32_t *k = b->k;
  const double *value = b->value;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t i = 0; i < slices; ++i) {
    HBC_INNER(parallel for)
    for (int64_t f = slice_begin[i]; f < slice_begin[i + 1]; ++f) {
      double sum = 0.0;
      HBC_INNER(parallel for reduction(+ : sum))
      for (int64_t e = fibre_begin[f]; e < fibre_begin[f + 1]; ++e) {
        sum += value[e] * c[k[e]];
      }
      result[f] = sum;
    }
  }
}

void HBC_ENTRY(ttv)(const struct hbc_ttv *a) {
  for (int64_t round = 0; round < a->rounds; ++round) {
    multiply(&a->tensor, a->vector, a->result);
  }
}
