#include "hbc/plus_reduce_array/program.h"

void HBC_ENTRY(plus_reduce_array)(const struct hbc_plus_reduce_array *a) {
  const int64_t elements = a->elements;
  const double *element = a->element;
  for (int64_t round = 0; round < a->rounds; ++round) {
    double sum = 0.0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : sum)
    for (int64_t i = 0; i < elements; ++i) {
      sum += element[i];
    }
    a->sum[round] = sum;
  }
}
