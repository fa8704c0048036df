// A taskwait in code that is not seen where it is called waits for the tasks of its caller, and tasks with dependences come behind
// them: through a pointer, below functions that are seen, with more arguments than are named, called back by qsort. How often
// qsort compares is its own affair (AddressSanitizer's does so once more), so what is waited for is told by the first time.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static long y;

static void slow(void) {
  for (volatile int j = 0; j < 2000; ++j) {
  }
  y = y * 10 + 1;
}

static void wait_here(void) {
#pragma omp taskwait
  if (y % 10 != 2) y = y * 10 + 2;
}
static void (*volatile chosen)(void) = wait_here;

static void below(int depth) {
  if (depth > 0) {
    below(depth - 1);
  } else {
    chosen();
  }
}

static void with_more(int count, ...) {
  va_list more;
  va_start(more, count);
  for (int i = 0; i < count; ++i) va_arg(more, void (*)(void))();
  va_end(more);
}

static int compare_waiting(const void *a, const void *b) {
  wait_here();
  return *(const int *)a - *(const int *)b;
}
static int (*volatile comparison)(const void *, const void *) = compare_waiting;

static int compare_below(const void *a, const void *b) {
  chosen();
  return *(const int *)a - *(const int *)b;
}

static int compare_dependent(const void *a, const void *b) {
#pragma omp task depend(inout : y)
  if (y % 10 == 1) y = y * 3 % 100000;
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  int v[2] = {1, 0};
  for (int i = 0; i < 50; ++i) {
    long sum = 0;
    y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      chosen();
    }
    sum = sum * 31 + y;
    y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      below(3);
#pragma omp task
      slow();
      below(0);
    }
    sum = sum * 31 + y;
    y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      with_more(2, wait_here, wait_here);
    }
    sum = sum * 31 + y;
    y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      qsort(v, 2, sizeof *v, comparison);
    }
    sum = sum * 31 + y;
    y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      qsort(v, 2, sizeof *v, compare_below);
    }
    sum = sum * 31 + y;
    y = 0;
    // What is called back has tasks: stays.
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      slow();
      qsort(v, 2, sizeof *v, compare_waiting);
    }
    sum = sum * 31 + y;
    y = 1;
#pragma omp parallel
#pragma omp single
    for (int j = 0; j < 5; ++j) {
#pragma omp task depend(inout : y)
      {
        slow();
        y = y % 100000;
      }
      qsort(v, 2, sizeof *v, compare_dependent);
    }
    printf("%ld\n", sum * 31 + y);
  }
  return 0;
}
// converted: 0 loops, 5 regions, 2 left
