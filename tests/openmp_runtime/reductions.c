/* Reductions over tasks: of taskgroups, taskloops, regions and worksharing constructs. */
#include <omp.h>

#include "check.h"

struct pair {
  long sum, product;
};
static void begin_pair(struct pair* own, const struct pair* of) {
  CHECK(of->product == 1);
  own->sum = 0;
  own->product = 1;
}
#pragma omp declare reduction(join : struct pair : omp_out.sum += omp_in.sum, omp_out.product *= omp_in.product) \
    initializer(begin_pair(&omp_priv, &omp_orig))

static long global;

static void deeper(int depth) {
  for (int i = 0; i < 2; ++i) {
#pragma omp task in_reduction(+ : global)
    {
      global += 1;
      if (depth > 0) deeper(depth - 1);
    }
  }
}

static void groups(void) {
  struct pair both = {1, 1};
  long other[4] = {1, 2, 3, 4};
  global = 5;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : global, other) task_reduction(join : both)
  {
    for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : global, other) in_reduction(join : both)
      {
        deeper(2);
        other[i % 4] += i;
        both.sum += i;
        if (i < 10) both.product *= 2;
#pragma omp taskgroup task_reduction(+ : global)
        {
#pragma omp task in_reduction(+ : global) in_reduction(join : both)
          {
            global += 100;
            both.sum += 1000;
          }
        }
      }
    }
  }
  CHECK(global == 5 + 20 * 14 + 2000);
  CHECK(both.sum == 1 + 190 + 20000 && both.product == 1024);
  CHECK(other[0] == 1 + 40 && other[1] == 2 + 45 && other[2] == 3 + 50 && other[3] == 4 + 55);
}

static void taskloops(void) {
  long sum = 3, outer = 7;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
  {
#pragma omp taskloop reduction(+ : sum) in_reduction(+ : outer)
    for (int i = 0; i < 100; ++i) {
      sum += i;
      outer += 1;
    }
  }
  CHECK(sum == 3 + 4950);
  CHECK(outer == 107);
}

static void constructs(void) {
  const int n = omp_get_max_threads();
  long sum = 0, loop = 0, parts = 0, in_scope = 0;
#pragma omp parallel reduction(task, + : sum)
  {
    sum += 1;
    for (int i = 0; i < 5; ++i) {
#pragma omp task in_reduction(+ : sum)
      sum += 10;
    }
#pragma omp for reduction(task, + : loop)
    for (int i = 0; i < 50; ++i) {
#pragma omp task in_reduction(+ : loop)
      loop += i;
    }
#pragma omp sections reduction(task, + : parts)
    {
#pragma omp section
      {
#pragma omp task in_reduction(+ : parts)
        parts += 1;
      }
#pragma omp section
      parts += 2;
    }
#if !defined(__clang__) && __GNUC__ >= 12
#pragma omp scope reduction(task, + : in_scope)
    {
#pragma omp task in_reduction(+ : in_scope)
      in_scope += 3;
    }
#else
#pragma omp atomic
    in_scope += 3;
#endif
  }
  CHECK(sum == n * 51);
  CHECK(loop == 1225);
  CHECK(parts == 3);
  CHECK(in_scope == 3 * n);
}

/* Outside of regions. */
static void alone(void) {
  long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum += 4;
  }
  CHECK(sum == 4);
}

int main(void) {
  for (int i = 0; i < 5; ++i) {
    groups();
    taskloops();
    constructs();
    alone();
  }
  puts("right");
  return 0;
}
