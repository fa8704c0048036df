// Rows one after another that write what is also read by its name; and what a serial loop among them leaves behind.
#include <stdlib.h>
#include "show.h"

enum { rows = 2000, steps = 40 / SMALLER, entries = 8000 };

static double matrix[65536];
static int begin[rows + 1], a[entries];
static double *table, *other;

static void start_again(void) {
  for (int i = 0; i < 65536; ++i) matrix[i] = i % 1000;
  for (int i = 0; i < rows; ++i) table[i] = other[i] = i;
}

// A row of the matrix is written while its first entry is read by name: with a distance of 0 they are one.
static double static_array(long distance) {
  double out[1] = {0};
#pragma omp parallel for
  for (int w = 0; w < 1; ++w) {
    for (long step = 0; step < steps; ++step) {
      double *row = matrix + step * distance, norm = 0;
      for (long i = 0; i < rows; ++i) {
        double sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
        row[i] = sum + (double)step;
        norm += row[i] - matrix[0];
      }
      out[w] += norm;
    }
  }
  return out[0];
}

// The same with memory that only static pointers point to.
static double static_pointer(void) {
  double out[1] = {0};
#pragma omp parallel for
  for (int w = 0; w < 1; ++w) {
    for (long step = 0; step < steps; ++step) {
      double *row = table, norm = 0;
      for (long i = 0; i < rows; ++i) {
        double sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
        row[i] = sum + (double)step;
        norm += row[i] - table[0] + other[i];
      }
      out[w] += norm;
    }
  }
  return out[0];
}

// A serial loop in each row; the last value of its last time is wanted after all of them.
static void left_behind(const int* t, long length, long n, long* y, long* out) {
#pragma omp parallel for
  for (long w = 0; w < 2; ++w) {
    long x, i = 0;
    do {
      long j = 0;
      do {
        x = t[j] + i;
        y[w * rows + j] = x;
        ++j;
      } while (j < length);
      long sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
      y[w * rows + i] = sum;
      ++i;
    } while (i < n);
    out[w] = x;
  }
}

int main(void) {
  table = malloc(rows * sizeof *table);
  other = malloc(rows * sizeof *other);
  if (table == NULL || other == NULL) return 1;
  for (int i = 0; i < entries; ++i) a[i] = i % 7 + 1;
  for (int i = 0; i <= rows; ++i) begin[i] = i * 3;
  for (int turn = 0; turn < 5; ++turn) {
    start_again();
    number("array", (long)static_array(turn % 2));
    number("pointer", (long)static_pointer());
  }
  static long y[2 * rows];
  static int t[64];
  for (int i = 0; i < 64; ++i) t[i] = i * 77 % 13;
  unsigned long all = 0;
  for (int turn = 0; turn < 100; ++turn) {
    long out[2];
    left_behind(t, 3, 1000 + turn % 24, y, out);
    all = all * 31 + (unsigned long)(out[0] + out[1] + y[turn]);
  }
  number("left behind", (long)all);
  free(table);
  free(other);
}
// converted: 6 loops, 0 regions, 0 left
