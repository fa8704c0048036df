// Chunks of rows of which each begins where the one before ends: short ones, with long ones between them, empty,
// overlapping or backwards; and arrays that end where memory does.
#include "show.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { rows = 10000 / SMALLER, longest = 6000, rounds = 3 };

// As many words as are asked for, at the end of a page that nothing may be read behind.
static void *before_nothing(long bytes) {
  const long page = sysconf(_SC_PAGESIZE);
  const long pages = (bytes + page - 1) / page;
  char *all = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + pages * page, page, PROT_NONE) != 0) exit(1);
  return all + pages * page - bytes;
}

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static long length_of(unsigned *state) {
  const unsigned kind = next_random(state) % 1000;
  return kind == 0 ? longest : kind < 200 ? 0 : next_random(state) % 9;
}

static long checksum(const long *values, long n) {
  unsigned long sum = 0;
  for (long i = 0; i < n; ++i) sum = sum * 31 + (unsigned long)values[i];
  return (long)sum;
}

static void words(const long *begin, const int *a, long n, long *y) {
#pragma omp parallel for
  for (long r = 0; r < n; ++r) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[r]; k < begin[r + 1]; ++k) sum += a[k];
    y[r] = sum;
  }
}

static void numbers(const unsigned *begin, const int *a, unsigned n, long *y) {
#pragma omp parallel for
  for (unsigned r = 0; r < n; ++r) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (unsigned k = begin[r]; k < begin[r + 1]; ++k) sum += a[k];
    y[r] = sum;
  }
}

static void signed_numbers(const int *begin, const int *a, int n, long *y) {
#pragma omp parallel for
  for (int r = 0; r < n; ++r) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = begin[r]; k < begin[r + 1]; ++k) sum += a[k];
    y[r] = sum;
  }
}

// Two kinds of rows in one iteration, and stores that could be to anything.
static void both(const long *begin, const int *begin_too, const int *a, long n, unsigned char *y) {
#pragma omp parallel for
  for (long r = 0; r < n; ++r) {
    int first = 0, second = 0;
#pragma omp parallel for reduction(+ : first)
    for (long k = begin[r]; k < begin[r + 1]; ++k) first += a[k];
#pragma omp parallel for reduction(^ : second)
    for (int k = begin_too[r]; k < begin_too[r + 1]; ++k) second ^= a[k];
    y[r] = (unsigned char)(first + 3 * second);
  }
}

// Something comes out of the loop over rows.
static long total(const long *begin, const int *a, long n) {
  unsigned long all = 0;
#pragma omp parallel for reduction(+ : all)
  for (long r = 0; r < n; ++r) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[r]; k < begin[r + 1]; ++k) sum += a[k];
    all += (unsigned long)sum * (unsigned long)r;
  }
  return (long)all;
}

// Bounds that are no integers.
static void fractions(const double *begin, const int *a, long n, long *y) {
#pragma omp parallel for
  for (long r = 0; r < n; ++r) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = (long)begin[r]; k < (long)begin[r + 1]; ++k) sum += a[k];
    y[r] = sum;
  }
}

// `begin` ends with the rows that are looked at.
static void some(const long *begin, const int *a, long known, long n, long *y) {
#pragma omp parallel for
  for (long r = 0; r < n; ++r) {
    y[r] = -1;
    if (r >= known) continue;
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[r]; k < begin[r + 1]; ++k) sum += a[k];
    y[r] = sum;
  }
}

// Slices of fibres of entries.
static void slices(const long *slice, const long *begin, const int *a, long n, long *y) {
#pragma omp parallel for
  for (long s = 0; s < n; ++s) {
#pragma omp parallel for
    for (long r = slice[s]; r < slice[s + 1]; ++r) {
      long sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (long k = begin[r]; k < begin[r + 1]; ++k) sum += a[k];
      y[r] = sum;
    }
  }
}

int main(void) {
  unsigned state = 1;
  long *begin = before_nothing((rows + 1) * sizeof *begin);
  unsigned *begin_small = before_nothing((rows + 1) * sizeof *begin_small);
  for (long r = 0; r < rows; ++r) begin[r + 1] = begin[r] + length_of(&state);
  for (long r = 0; r <= rows; ++r) begin_small[r] = (unsigned)begin[r];
  int *a = before_nothing(begin[rows] * sizeof *a);
  for (long k = 0; k < begin[rows]; ++k) a[k] = (int)(next_random(&state) % 1000) - 300;
  // Anywhere: half of the rows end before they begin, others overlap; all together are no longer than one of them.
  long *anywhere = before_nothing((rows + 1) * sizeof *anywhere);
  for (long r = 0; r <= rows; ++r) anywhere[r] = next_random(&state) % 2000;
  long slice[101];
  for (long s = 0; s <= 100; ++s) slice[s] = s * s * (rows / 10000);
  long *y = malloc(rows * sizeof *y);
  unsigned char *bytes = malloc(rows);
  double *begin_double = before_nothing((rows + 1) * sizeof *begin_double);
  for (long r = 0; r <= rows; ++r) begin_double[r] = (double)begin[r] + 0.25;
  for (int round = 0; round < rounds; ++round) {
    words(begin, a, rows, y);
    number("words", checksum(y, rows));
    numbers(begin_small, a, rows, y);
    number("numbers", checksum(y, rows));
    signed_numbers((const int *)begin_small, a, rows, y);
    number("signed", checksum(y, rows));
    words(anywhere, a, rows, y);
    number("anywhere", checksum(y, rows));
    both(begin, (const int *)begin_small, a, rows, bytes);
    for (long r = 0; r < rows; ++r) y[r] = bytes[r];
    number("both", checksum(y, rows));
    fractions(begin_double, a, rows, y);
    number("fractions", checksum(y, rows));
    number("total", total(begin, a, rows));
    some(begin + rows / 2, a, rows / 2, rows, y);
    number("some", checksum(y, rows));
    slices(slice, begin, a, 100, y);
    number("slices", checksum(y, rows));
    words(begin, a, 0, y);
    words(begin + rows - 1, a, 1, y);
    number("last", y[0]);
  }
  free(y);
  free(bytes);
  return 0;
}
// converted: 18 loops, 0 regions, 0 left
