// Regions with tasks that reduce: calls where only their blocks and tasks add, else each thread adds to its own.
#include "fib.h"
#include "show.h"

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_max_threads(void) { return 1; }
#endif

struct many {
  long of[6];
};
static void add_many(struct many* to, const struct many* from) {
  for (int i = 0; i < 6; ++i) to->of[i] += from->of[i];
}
#pragma omp declare reduction(all : struct many : add_many(&omp_out, &omp_in))

static int counts(void) {
  long threads = 0, s = 0;
#pragma omp parallel reduction(+ : threads)
  {
    threads++;
#pragma omp single
    {
#pragma omp task shared(s)
      s = fib(15);
    }
  }
  return threads == omp_get_max_threads() && s == 610;
}

static int counts_and_adds(void) {
  long threads = 0;
#pragma omp parallel reduction(task, + : threads)
  {
    threads++;
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : threads)
      threads += 100;
    }
  }
  return threads == omp_get_max_threads() + 1000;
}

static int adds_behind(void) {
  long s = 0;
  long a[100];
#pragma omp parallel reduction(+ : s)
  {
#pragma omp single
    for (int i = 0; i < 100; ++i) {
#pragma omp task
      a[i] = i;
    }
    for (int i = 0; i < 100; ++i) s += a[i];
  }
  return s == 4950 * omp_get_max_threads();
}

static long shapes(int length) {
  long z = 1, zs[2] = {0, 1};
  struct many m = {{1}}, ms[2] = {{{0}}};
  long grid[2][3] = {{0}}, long_one[length];
  for (int i = 0; i < length; ++i) long_one[i] = i;
#pragma omp parallel reduction(+ : z, zs, grid, long_one) reduction(all : m, ms)
#pragma omp single
  {
    long got[20];
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(got)
      got[i] = fib(i);
    }
#pragma omp taskwait
    for (int i = 0; i < 20; ++i) {
      z += got[i];
      zs[i % 2] += 2 * got[i];
      m.of[i % 6] += got[i];
      ms[i % 2].of[i % 5] += got[i];
      grid[i % 2][i % 3] += got[i];
      long_one[i % length] += got[i];
    }
  }
  long s = z;
  for (int i = 0; i < 2; ++i) s = s * 3 + zs[i];
  for (int i = 0; i < 6; ++i) s = s * 3 + m.of[i] + ms[0].of[i] * 5 + ms[1].of[i] + grid[i / 3][i % 3];
  for (int i = 0; i < length; ++i) s = s * 3 + long_one[i];
  return s;
}

int main(void) {
  number("counts its threads", counts());
  number("and tasks add", counts_and_adds());
  number("each thread adds", adds_behind());
  number("shapes", shapes(4));
  return 0;
}
// converted: 0 loops, 1 regions, 3 left
