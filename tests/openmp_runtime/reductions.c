/* Reductions over tasks: of groups, taskloops, regions, loops, sections. */
#include <omp.h>

#include "check.h"

static long summed;
static int factors;

static void take_part(int n) {
#pragma omp task in_reduction(+ : summed) in_reduction(* : factors)
  {
    summed += n;
    if (n == 3) factors *= 2;
  }
}

struct pair {
  int low, high;
};
static void widen(struct pair* to, const struct pair* by) {
  if (by->low < to->low) to->low = by->low;
  if (by->high > to->high) to->high = by->high;
}
#pragma omp declare reduction(widest : struct pair : widen(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct pair){1 << 30, -1})

static void groups(void) {
  int count = 0;
  struct pair range = {1 << 30, -1};
  summed = 5;
  factors = 3;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : summed, count) task_reduction(* : factors) task_reduction(widest : range)
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : summed, count) in_reduction(* : factors) in_reduction(widest : range) firstprivate(i)
      {
        ++count;
        widen(&range, &(struct pair){i, i});
        take_part(i);
#pragma omp taskgroup task_reduction(+ : count)
        {
#pragma omp task in_reduction(+ : count, summed)
          {
            count += 10;
            summed += 100;
          }
        }
      }
    }
  }
  CHECK(summed == 5 + 45 + 1000 && count == 110 && factors == 6 && range.low == 0 && range.high == 9);
  int a[4] = {0, 0, 0, 0};
  long looped = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : looped) reduction(+ : a[1 : 2]) grainsize(3)
    for (int i = 0; i < 100; ++i) {
      looped += i;
      a[1] += 1;
      a[2] += 2;
    }
  }
  CHECK(looped == 1 + 4950 && a[0] == 0 && a[1] == 100 && a[2] == 200 && a[3] == 0);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(* : factors)
    for (int i = 0; i < count - 110; ++i) factors = 0;
  }
  CHECK(factors == 6);
}

/* Of a region, a loop, sections. */
static void shared_reductions(void) {
  int in_region = 0, in_loop = 2, in_sections = 0;
  int members = 0;
#pragma omp parallel reduction(task, + : in_region)
  {
    ++in_region;
#pragma omp task in_reduction(+ : in_region)
    in_region += 10;
#pragma omp single
    members = omp_get_num_threads();
  }
  CHECK(in_region == 11 * members);
  for (int round = 0; round < 12; ++round) {
#pragma omp parallel
    {
#pragma omp for reduction(task, + : in_loop) schedule(dynamic)
      for (int i = 0; i < 40; ++i) {
        ++in_loop;
#pragma omp task in_reduction(+ : in_loop)
        in_loop += 100;
      }
#pragma omp sections reduction(task, + : in_sections)
      {
#pragma omp section
        {
#pragma omp task in_reduction(+ : in_sections)
          in_sections += 7;
        }
#pragma omp section
        ++in_sections;
      }
    }
  }
  CHECK(in_loop == 2 + 12 * 40 * 101 && in_sections == 12 * 8);
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    groups();
    shared_reductions();
  }
  puts("right");
  return 0;
}
