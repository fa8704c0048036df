// Loops in loops: siblings, other functions, recursion, rows of very different length.
#include <stdio.h>
#include <stdlib.h>

static long triangle(int n) {
  long total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    long row = 0;
#pragma omp parallel for reduction(+ : row)
    for (int j = i; j < n; ++j) row += (i ^ j) & 15;
    total += row;
  }
  return total;
}

static void spmv(int n, const int *row, const int *column, const double *a, const double *x, double *y) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = row[i]; j < row[i + 1]; ++j) s += a[j] * x[column[j]];
    y[i] = s;
  }
}

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == n) return 1;
  int found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic)
  for (int c = 0; c < n; ++c) {
    const unsigned bit = 1u << c;
    if (((columns | left | right) & bit) == 0) {
      found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
  }
  return found;
}

static void siblings(int n, long *a, long *b) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int j = 0; j < 50; ++j) a[i * 50 + j] = i + j;
    long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < 50; ++j) s += a[i * 50 + j];
#pragma omp parallel for schedule(guided)
    for (int j = 0; j < 50; ++j) b[i * 50 + j] = s - a[i * 50 + j];
  }
}

int main(void) {
  printf("triangle %ld\n", triangle(300));
  printf("triangle of one %ld\n", triangle(1));
  enum { n = 500 };
  int *row = malloc(sizeof(int) * (n + 1));
  row[0] = 0;
  // An arrowhead: one long row, and short ones.
  for (int i = 0; i < n; ++i) row[i + 1] = row[i] + (i == 0 ? 20000 : i % 5);
  int *column = malloc(sizeof(int) * row[n]);
  double *a = malloc(sizeof(double) * row[n]), *x = malloc(sizeof(double) * n), *y = malloc(sizeof(double) * n);
  for (int j = 0; j < row[n]; ++j) {
    column[j] = j % n;
    a[j] = j % 9;
  }
  for (int i = 0; i < n; ++i) x[i] = i % 4;
  double total = 0;
  for (int round = 0; round < 5; ++round) {
    spmv(n, row, column, a, x, y);
    for (int i = 0; i < n; ++i) total += y[i] * (i + 1);
  }
  printf("spmv %.17g\n", total);
  printf("queens %d\n", queens(7, 0, 0, 0, 0));
  long *p = malloc(sizeof(long) * 50 * 100), *q = malloc(sizeof(long) * 50 * 100);
  siblings(100, p, q);
  long check = 0;
  for (int i = 0; i < 5000; ++i) check = (check * 31 + q[i]) % 1000003;
  printf("siblings %ld\n", check);
  free(row);
  free(column);
  free(a);
  free(x);
  free(y);
  free(p);
  free(q);
  return 0;
}
