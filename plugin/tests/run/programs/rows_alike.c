// Rows that all have the same length, inside others: short, long, empty or backwards; few of them and many.
#include "show.h"
#include <limits.h>
#include <stdlib.h>

enum { groups = 30, blocks = 3000, most_rows = 300, entries = 8000, kinds = 7, counts = 5 };

static const long first[kinds] = {0, 5, 7, 40, 100, LONG_MAX, 1};
static const long last[kinds] = {3, 5, 2, 49, 101, LONG_MIN + 3, entries};
static const int how_many[counts] = {0, 1, 16, 3, most_rows};

static long length_class(long block) { return block % 997 == 0 ? kinds - 1 : block % (kinds - 1); }
static int rows_of(long block) { return how_many[block % 499 == 0 ? counts - 1 : block % (counts - 1)]; }

// All levels are parallel.
static void products(const int *a, const int *factor, long *y) {
#pragma omp parallel for
  for (long group = 0; group < groups; ++group) {
#pragma omp parallel for
    for (long b = group; b < blocks; b += groups) {
      const long from = first[length_class(b)], to = last[length_class(b)];
      const int rows = rows_of(b);
#pragma omp parallel for
      for (int r = 0; r < rows; ++r) {
        unsigned long sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (long k = from; k < to; ++k) sum += (unsigned long)a[k] * (unsigned long)factor[r];
        y[b * most_rows + r] = (long)sum;
      }
    }
  }
}

// Rows one after another, of which some are left out, and whose arrays are more than there are registers.
static void many_arrays(int *const *a, long *y) {
#pragma omp parallel for
  for (long b = 0; b < blocks; ++b) {
    const int *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *a4 = a[4], *a5 = a[5], *a6 = a[6], *a7 = a[7];
    const int from = (int)(b % 9), to = from + (int)(b % 13) - 2;
    long weights[16];
    for (int r = 0; r < 16; ++r) weights[r] = r * b;
    unsigned long all = 0;
    for (int r = 0; r < 16; ++r) {
      if (r % 5 == 3) continue;
      unsigned long sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int k = from; k < to; ++k) {
        sum += (unsigned long)(a0[k] + a1[k] * 3 + a2[k] - a3[k] + a4[k] * 7 + a5[k] - a6[k] + a7[k + r]);
      }
      weights[r] += (long)sum;
      all = all * 31 + (unsigned long)weights[r];
    }
    y[b] = (long)all;
  }
}

// So many rows that their number says nothing in 32 bits.
static void endless(const int *a, long rows, long *y) {
#pragma omp parallel for
  for (long b = 0; b < blocks; ++b) {
    const long to = b % 3;
    unsigned long all = 0;
    for (unsigned r = UINT_MAX - (unsigned)rows; r < UINT_MAX; ++r) {
      unsigned long sum = r;
#pragma omp parallel for reduction(+ : sum)
      for (long k = 0; k < to; ++k) sum += (unsigned long)a[k];
      all = all * 3 + sum;
    }
    y[b] = (long)all;
  }
}

static long checksum(const long *values, long count) {
  unsigned long sum = 0;
  for (long i = 0; i < count; ++i) sum = sum * 31 + (unsigned long)values[i];
  return (long)sum;
}

int main(void) {
  int *a[8];
  for (int i = 0; i < 8; ++i) {
    a[i] = malloc(entries * sizeof **a);
    for (int k = 0; k < entries; ++k) a[i][k] = (k * 7 + i * 11) % 1000 - 300;
  }
  long *y = calloc((size_t)blocks * most_rows, sizeof *y);
  for (int round = 0; round < 3; ++round) {
    products(a[0], a[1], y);
    number("products", checksum(y, (long)blocks * most_rows));
    many_arrays(a, y);
    number("many arrays", checksum(y, blocks));
    endless(a[2], 100, y);
    number("endless", checksum(y, blocks));
  }
  for (int i = 0; i < 8; ++i) free(a[i]);
  free(y);
  return 0;
}
// converted: 8 loops, 0 regions, 0 left
