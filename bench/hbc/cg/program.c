#include "hbc/cg/program.h"

#include <math.h>

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

static double dot(const double *x, const double *y, int64_t n) {
  double sum = 0.0;
#pragma omp parallel for HBC_SCHEDULE reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) {
    sum += x[i] * y[i];
  }
  return sum;
}

// Solves A z = x approximately.
static void conjugate_gradients(const struct hbc_cg *a) {
  const int64_t n = a->matrix.rows;
  const double *x = a->x;
  double *z = a->z;
  double *p = a->p;
  double *q = a->q;
  double *r = a->r;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t i = 0; i < n; ++i) {
    z[i] = 0.0;
    r[i] = x[i];
    p[i] = x[i];
  }
  double rho = dot(r, r, n);
  for (int64_t step = 0; step < a->steps; ++step) {
    multiply(&a->matrix, p, q);
    const double alpha = rho / dot(p, q, n);
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t i = 0; i < n; ++i) {
      z[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double before = rho;
    rho = dot(r, r, n);
    const double beta = rho / before;
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t i = 0; i < n; ++i) {
      p[i] = r[i] + beta * p[i];
    }
  }
}

void HBC_ENTRY(cg)(const struct hbc_cg *a) {
  const int64_t n = a->matrix.rows;
  double *x = a->x;
  double *z = a->z;
#pragma omp parallel for HBC_SCHEDULE
  for (int64_t i = 0; i < n; ++i) {
    x[i] = 1.0;
  }
  for (int64_t round = 0; round < a->rounds; ++round) {
    conjugate_gradients(a);
    *a->zeta = a->shift + 1.0 / dot(x, z, n);
    const double length = sqrt(dot(z, z, n));
#pragma omp parallel for HBC_SCHEDULE
    for (int64_t i = 0; i < n; ++i) {
      x[i] = z[i] / length;
    }
  }
}
