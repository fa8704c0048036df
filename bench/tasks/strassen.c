// Strassen's product of two matrices: seven products of halves, each a task, and four sums of them, each a task.
// Matrices of 32 rows are multiplied row by row, which is part of the algorithm.
#include <string.h>

#include "program.h"

enum { base = 32 };

// Of so many rows, each `stride` numbers behind the one before.
static void multiply_base(double* c, const double* a, const double* b, int cs, int as, int bs) {
  for (int i = 0; i < base; ++i) {
    double row[base] = {0};
    for (int k = 0; k < base; ++k) {
      for (int j = 0; j < base; ++j) row[j] += a[i * as + k] * b[k * bs + j];
    }
    memcpy(c + i * cs, row, sizeof row);
  }
}

// to = a + sign * b, without gaps between its rows.
static void add(double* to, const double* a, const double* b, double sign, int n, int stride) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) to[i * n + j] = a[i * stride + j] + sign * b[i * stride + j];
  }
}

static void multiply(double* c, const double* a, const double* b, int n, int cs, int as, int bs) {
  if (n == base) {
    multiply_base(c, a, b, cs, as, bs);
    return;
  }
  int h = n / 2;
  size_t part = (size_t)h * (size_t)h;
  const double *a11 = a, *a12 = a + h, *a21 = a + h * as, *a22 = a21 + h;
  const double *b11 = b, *b12 = b + h, *b21 = b + h * bs, *b22 = b21 + h;
  double *c11 = c, *c12 = c + h, *c21 = c + h * cs, *c22 = c21 + h;
  // Seven products, and the two sums that each needs.
  double* room = room_for(21 * part * sizeof *room);
  double *m = room, *s = room + 7 * part, *t = room + 14 * part;
#pragma omp task
  {
    add(s, a11, a22, 1, h, as);
    add(t, b11, b22, 1, h, bs);
    multiply(m, s, t, h, h, h, h);
  }
#pragma omp task
  {
    add(s + part, a21, a22, 1, h, as);
    multiply(m + part, s + part, b11, h, h, h, bs);
  }
#pragma omp task
  {
    add(t + 2 * part, b12, b22, -1, h, bs);
    multiply(m + 2 * part, a11, t + 2 * part, h, h, as, h);
  }
#pragma omp task
  {
    add(t + 3 * part, b21, b11, -1, h, bs);
    multiply(m + 3 * part, a22, t + 3 * part, h, h, as, h);
  }
#pragma omp task
  {
    add(s + 4 * part, a11, a12, 1, h, as);
    multiply(m + 4 * part, s + 4 * part, b22, h, h, h, bs);
  }
#pragma omp task
  {
    add(s + 5 * part, a21, a11, -1, h, as);
    add(t + 5 * part, b11, b12, 1, h, bs);
    multiply(m + 5 * part, s + 5 * part, t + 5 * part, h, h, h, h);
  }
#pragma omp task
  {
    add(s + 6 * part, a12, a22, -1, h, as);
    add(t + 6 * part, b21, b22, 1, h, bs);
    multiply(m + 6 * part, s + 6 * part, t + 6 * part, h, h, h, h);
  }
#pragma omp taskwait
  for (int i = 0; i < h; ++i) {
#pragma omp task
    for (int j = 0; j < h; ++j) {
      const double* at = m + i * h + j;
      c11[i * cs + j] = at[0] + at[3 * part] - at[4 * part] + at[6 * part];
      c12[i * cs + j] = at[2 * part] + at[4 * part];
      c21[i * cs + j] = at[part] + at[3 * part];
      c22[i * cs + j] = at[0] - at[part] + at[2 * part] + at[5 * part];
    }
  }
#pragma omp taskwait
  free(room);
}

int main(int argc, char** argv) {
  int n = size_or(argc, argv, 128);
  int rows = base;
  while (rows < n) rows *= 2;
  if (rows != n || n > 8192) {
    fprintf(stderr, "%s: the size is a power of two from 32 to 8192\n", argv[0]);
    return 2;
  }
  size_t bytes = (size_t)n * (size_t)n * sizeof(double);
  double *a = room_for(bytes), *b = room_for(bytes), *c = room_for(bytes);
  // Small whole numbers: every sum is exact, so that the plain product is the same.
  for (int i = 0; i < n * n; ++i) {
    a[i] = (double)(mixed((unsigned long)i) % 7) - 3;
    b[i] = (double)(mixed((unsigned long)(i + n * n)) % 7) - 3;
  }
  work_begins();
#pragma omp parallel
#pragma omp single
  multiply(c, a, b, n, n, n, n);
  work_ends();
  double sum = 0;
  for (int i = 0; i < n * n; ++i) sum += c[i] * (double)(i % 13);
  int wrong = 0;
  for (int i = 0; i < n; i += n / 8) {
    for (int j = 0; j < n; j += 3) {
      double plain = 0;
      for (int k = 0; k < n; ++k) plain += a[i * n + k] * b[k * n + j];
      wrong += plain != c[i * n + j];
    }
  }
  printf("%.0f, %d wrong\n", sum, wrong);
  free(a);
  free(b);
  free(c);
  return wrong != 0;
}
// converted: 0 loops, 1 regions, 0 left
