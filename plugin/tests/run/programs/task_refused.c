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

static long r;
static void add(int i) {
#pragma omp task in_reduction(+ : r)
  r += i;
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
  return 0;
}
// converted: 0 loops, 0 regions, 5 left
