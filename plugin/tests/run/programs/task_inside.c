// Code that goes on behind a task, in the middle of a task that has not branched: what it has computed before.
#include "show.h"

static void add(long *to, long what) {
#pragma omp atomic
  *to += what;
}

int main(void) {
  long a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task shared(a, b, c) firstprivate(i)
    {
      long before = i * 3L;
#pragma omp task shared(a)
      add(&a, 1);
      add(&b, before);
#pragma omp task shared(a, c)
      {
#pragma omp task shared(a)
        add(&a, 1);
        add(&c, before);
      }
      add(&b, i);
    }
  }
  number("inside", a);
  number("behind", b);
  number("deeper", c);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
