// if, final, mergeable, untied, priority, default, private, firstprivate of many kinds, taskyield.
#include <string.h>

#include "show.h"

struct large {
  double a[12];
  int k;
};

static long descend(int x, int limit) {
  if (x < 2) return x;
  long a, b;
#pragma omp task shared(a) final(x < limit) mergeable
  a = descend(x - 1, limit);
#pragma omp task shared(b) if (x > 5) priority(x)
  b = descend(x - 2, limit);
#pragma omp taskwait
  return a + b;
}

// Clang's own code for an untied task that makes tasks waits for ever in one run of ten, with one thread, too.
#ifdef CLANG_ALONE
#define UNTIED
#else
#define UNTIED untied
#endif
static void untied(int x, long *sum) {
#pragma omp task UNTIED default(none) firstprivate(x, sum)
  {
    long a[4];
    for (int i = 0; i < 4; ++i) a[i] = x + i;
    if (x > 0) untied(x - 1, sum);
#pragma omp taskyield
#pragma omp task untied shared(a)
    a[2] = 9;
#pragma omp taskwait
#pragma omp atomic
    *sum += a[0] + a[1] + a[2] + a[3];
  }
}

int main(void) {
  long f = 0, u = 0, p = 0, q = 0;
  char text[40] = "firstprivate";
  struct large big = {{1, 2, 3}, 4};
#pragma omp parallel num_threads(3) default(shared)
#pragma omp single
  {
    f = descend(15, 8);
    untied(20, &u);
#pragma omp task private(p) firstprivate(text, big) shared(q)
    {
      p = 3;
      text[0] = 'F';
#pragma omp atomic
      q += p + (long)strlen(text) + text[0] + (long)big.a[2] + big.k;
    }
    text[0] = 'x';
    big.k = 100;
    p = 1;
#pragma omp task if (0) shared(q)
    {
#pragma omp task shared(q)
      {
#pragma omp atomic
        q += 1000;
      }
#pragma omp taskwait
    }
  }
  number("final and if", f);
  number("untied", u);
  number("private", p);
  number("firstprivate", q);
  number(text, big.k);
  // A team of one.
#pragma omp parallel if (f < 0)
#pragma omp single
  f = descend(12, 3);
#pragma omp parallel num_threads(1)
#pragma omp single
  f += descend(12, 3);
  number("one thread", f);
  return 0;
}
// converted: 0 loops, 3 regions, 0 left
