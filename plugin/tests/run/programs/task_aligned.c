// Private variables that ask for more than 16 bytes: records in slots, frames and on the heap, and those of a taskloop.
#include "show.h"

#include <stdint.h>

struct line {
  _Alignas(64) double d[8];
};
struct half {
  _Alignas(32) char name[32];
};

__attribute__((noinline)) static int misplaced(const void* p, uintptr_t align) { return (uintptr_t)p % align != 0; }

static int lines(int n, struct line v) {
  if (n < 1) return misplaced(&v, 64);
  int a, b;
#pragma omp task shared(a) firstprivate(v)
  {
    v.d[1] += n;
    a = lines(n - 1, v) + misplaced(&v, 64);
  }
  b = lines(n - 2, v);
#pragma omp taskwait
  return a + b;
}

static int halves(int n) {
  if (n < 1) return 0;
  int a, b;
  struct half v = {"a name"};
#pragma omp task shared(a) firstprivate(v)
  a = halves(n - 1) + misplaced(&v, 32) + (v.name[2] != 'n');
  b = halves(n - 2);
#pragma omp taskwait
  return a + b;
}

static int loops(void) {
  int wrong = 0;
  struct line v = {{1, 2, 3}};
#pragma omp taskloop firstprivate(v) reduction(+ : wrong)
  for (int i = 0; i < 100; ++i) wrong += misplaced(&v, 64) + (v.d[2] != 3);
  return wrong;
}

int main(void) {
  int in_lines = 0, in_halves = 0, in_loops = 0;
#pragma omp parallel
#pragma omp single
  {
    const struct line first = {{1, 2}};
    in_lines = lines(10, first);
    in_halves = halves(10);
    in_loops = loops();
  }
  number("lines", in_lines);
  number("halves", in_halves);
  number("loops", in_loops);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
