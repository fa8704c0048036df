// What stays with the OpenMP runtime: the answer of each region must be right, whoever runs it.
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
#endif

#include "show.h"

static long mine;
#pragma omp threadprivate(mine)

static long numbered(int x) {
  long a = 0;
  if (x == 0) return omp_get_thread_num() >= 0;
#pragma omp task shared(a)
  a = numbered(x - 1);
#pragma omp taskwait
  return a;
}

static long kept(int x) {
  long a = 0;
#pragma omp task shared(a)
  {
    mine = x;
    a = mine;
  }
#pragma omp taskwait
  return a;
}

// It cannot be told the group.
static long r;
static void add(int i, ...) {
#pragma omp task in_reduction(+ : r)
  r += i;
}

// The addresses of its blocks are in a table: a copy of it would jump to these.
static int interpreted(const char *p, int x) {
  const void *const table[] = {&&add, &&twice, &&fork, &&end};
  int a = 0, b = 0, sum = x;
  goto *table[(int)*p++];
add:
  ++sum;
  goto *table[(int)*p++];
twice:
  sum *= 2;
  goto *table[(int)*p++];
fork:
  if (x > 0) {
#pragma omp task shared(a)
    a = interpreted("\0\1\2\3", x - 1);
    b = interpreted("\1\0\2\3", x - 2);
#pragma omp taskwait
    sum += a * 3 + b;
  }
end:
  return sum;
}

int main(void) {
  long s = 0, each = 0, c = 0;
#pragma omp parallel
#pragma omp single
  s = numbered(5);
  number("thread number", s);
#pragma omp parallel
#pragma omp single
  s = kept(5);
  number("threadprivate", s);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : r)
    for (int i = 0; i < n; ++i) add(i);
  }
  number("task_reduction", r);
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    each += 1;
#pragma omp single
    each += 0;
  }
  number("by each thread", each);
#pragma omp parallel
#pragma omp single
#pragma omp critical
  {
#pragma omp task shared(c)
    c = 1;
#pragma omp taskwait
  }
  number("critical", c);
#pragma omp parallel
#pragma omp single
  s = interpreted("\0\1\2\3", 6);
  number("computed goto", s);
  return 0;
}
// converted: 0 loops, 0 regions, 6 left
