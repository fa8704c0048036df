// Reductions over tasks of arrays and sections whose length is known only at run time.
#include <stdlib.h>
#include "by_clang.h"
#include "fib.h"
#include "show.h"

struct pair {
  long sum, largest;
};
static void merge(struct pair* into, const struct pair* from) {
  into->sum += from->sum;
  if (from->largest > into->largest) into->largest = from->largest;
}
static void begin(struct pair* own, const struct pair* original) { *own = (struct pair){0, original->largest - 7}; }
#pragma omp declare reduction(pairs : struct pair : merge(&omp_out, &omp_in)) initializer(begin(&omp_priv, &omp_orig))

static long sum_of(const long* a, int length) {
  long s = 0;
  for (int i = 0; i < length; ++i) s = s * 31 % 1000003 + a[i];
  return s;
}

static long sections(int length, int width) {
  long* a = calloc((unsigned)length + 2, sizeof *a);
  struct pair* p = calloc((unsigned)width + 1, sizeof *p);
  long own[length];
  short table[length][width];
  long s = 0;
  for (int i = 0; i < length; ++i) {
    own[i] = i;
    for (int k = 0; k < width; ++k) table[i][k] = (short)k;
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : own, table, a[2 : length]) task_reduction(pairs : p[1 : width])
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : own, table, a[2 : length]) in_reduction(pairs : p[1 : width])
    {
      struct pair one = {i, i * 37 % 1001};
      own[i % length] += fib(i % 9);
      table[i % length][i % width]++;
      merge(&p[1 + i % width], &one);
      a[2 + i % length] += i;
      if (i % 3 == 0) {
#pragma omp task in_reduction(+ : a[2 : length])
        a[2 + (i + 1) % length] += i;
#pragma omp taskwait
      }
      a[2 + (i + 2) % length] -= 1;
    }
  }
  s = sum_of(own, length) + sum_of(a, length + 2);
  for (int i = 0; i < length; ++i) {
    for (int k = 0; k < width; ++k) s = s * 7 % 1000003 + table[i][k];
  }
  for (int k = 0; k <= width; ++k) s = s * 7 % 1000003 + p[k].sum + p[k].largest;
  free(a);
  free(p);
  return s;
}

// A group in a task of another group, of the same declaration and another length.
static long nested(int length, int depth) {
  long own[length];
  for (int i = 0; i < length; ++i) own[i] = i;
#pragma omp taskgroup task_reduction(+ : own)
  for (int i = 0; i < 6; ++i) {
#pragma omp task in_reduction(+ : own)
    {
      own[i % length] += length;
      if (depth > 0) own[(i + 1) % length] += nested(length * 2 + i, depth - 1);
      own[(i + 2) % length] += 1;
    }
  }
  return sum_of(own, length);
}

int main(void) {
  by_clang_alone();
  number("short ones", sections(1, 1));
  number("some", sections(7, 3));
  number("long ones", sections(3000, 2));
  long got = 0;
#pragma omp parallel
#pragma omp single
  got = nested(2, 3);
  number("nested", got);
  for (int length = 1; length < 5000; length = length * 9 + 1) {
    long a[length];
    for (int i = 0; i < length; ++i) a[i] = i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : a)
    for (int i = 0; i < n; ++i) a[i % length] += i;
    number("taskloop", sum_of(a, length));
#pragma omp parallel reduction(task, + : a[0 : length])
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : a[0 : length])
      a[i % length] += i;
    }
    number("a region", sum_of(a, length));
  }
  return 0;
}
// converted: 0 loops, 4 regions, 0 left
