// A chunk stays on one thread, in order, also where its length is known only when the program runs. chunks_static.c is
// the same with another schedule.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SCHEDULE
#define SCHEDULE dynamic
#endif

// Takes a while, so that there are promotions.
static void work(void) {
  for (volatile int k = 0; k < 10; ++k) {
  }
}

// `first` was set by the first iteration of the chunk of iteration `k`, if the chunk was not parted.
#define LOOK(k, c)                     \
  do {                                 \
    if ((k) % (c) == 0) first = (k);   \
    work();                            \
    right += first == (k) / (c) * (c); \
  } while (0)

static long up(int n, int c) {
  long right = 0, first = -1;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (int i = 0; i < n; ++i) LOOK(i, c);
  return right;
}

static long down(long from, long to, long c) {
  long right = 0, first = -1;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (long i = from; i > to; i -= 3) LOOK((from - i) / 3, c);
  return right;
}

// From one end of the numbers to the other.
static long far_apart(int c) {
  long right = 0, first = -1;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (int i = INT_MIN; i < INT_MAX - 2000003; i += 2000003) LOOK(((long)i - INT_MIN) / 2000003, c);
  return right;
}

static long without_sign(uint64_t from, uint64_t to, uint64_t c) {
  long right = 0, first = -1;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (uint64_t i = from; i < to; ++i) LOOK((long)(i - from), (long)c);
  return right;
}

static long short_numbers(signed char c) {
  long right = 0, first = -1;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (int i = 0; i < 3000; ++i) LOOK(i, c);
  return right;
}

static long collapsed(int rows, int columns, int c) {
  long right = 0, first = -1;
#pragma omp parallel for collapse(2) schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) LOOK(i * columns + j, c);
  return right;
}

// The iterations nest, so that little is claimed at a time.
static long nested(int n, int c) {
  long right = 0, first = -1;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
  for (int i = 0; i < n; ++i) {
    long inner = up(20 + i % 2, c + 1);
    LOOK(i, c);
    right += inner - 20 - i % 2;
  }
  return right;
}

// The results of halves are on the heap.
static long counted(int n, int c, int kinds) {
  long* count = calloc((size_t)kinds, sizeof *count);
  long first = -1, all = 0;
#pragma omp parallel for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : count[0 : kinds])
  for (int i = 0; i < n; ++i) {
    long right = 0;
    LOOK(i, c);
    count[i % kinds] += right;
  }
  for (int k = 0; k < kinds; ++k) all += count[k];
  free(count);
  return all;
}

// The region computes the lengths.
static long region(int n, int c) {
  long right = 0, first = -1;
#pragma omp parallel firstprivate(c)
  {
    c += 2;
#pragma omp for schedule(SCHEDULE, c) firstprivate(first) reduction(+ : right)
    for (int i = 0; i < n; ++i) LOOK(i, c);
#pragma omp for schedule(SCHEDULE, 3 * c) firstprivate(first) reduction(+ : right)
    for (int i = 0; i < n; ++i) LOOK(i, 3 * c);
  }
  return right;
}

int main(int argc, char** argv) {
  (void)argv;
  for (int c = argc; c < 3000; c = c * 3 + 4) {
    printf("%d: %ld %ld %ld", c, up(3000, c), up(c, c), up(c + 1, c));
    printf(" %ld %ld", down(5000, -5000, c), without_sign(UINT64_MAX - 3000, UINT64_MAX, (uint64_t)c));
    printf(" %ld %ld %ld", far_apart(c), collapsed(50, 60, c), nested(500, c));
    printf(" %ld %ld\n", counted(3000, c, 5), region(3000, c));
  }
  printf("short: %ld\n", short_numbers((signed char)(argc + 99)));
  printf("longer than all: %ld %ld %ld %ld\n", up(3000, INT_MAX - argc), down(3000, 0, LONG_MAX - argc),
         far_apart(INT_MAX - argc), without_sign(5, 3000, (uint64_t)(INT64_MAX - argc)));
  printf("none: %ld %ld %ld %ld\n", up(0, argc + 6), down(0, 0, argc + 6), down(-9, 9, argc + 6),
         without_sign(7, 7, (uint64_t)argc + 6));
  return 0;
}
// converted: 10 loops, 1 regions, 0 left
