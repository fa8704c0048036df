// A region that stays with the OpenMP runtime, beside loops of takt's: the other runtime's threads sleep when it is over,
// as long as takt uses the CPUs, and are as before when it does not any more.
#include "show.h"

#include <stdlib.h>

#if defined(_OPENMP) && !defined(CLANG_ALONE)
extern int kmp_get_blocktime(void);
extern void kmp_set_blocktime(int);
#define WAITS() kmp_get_blocktime()
#define SET(ms) kmp_set_blocktime(ms)
#else
#define WAITS() waits
#define SET(ms) (void)(waits = (ms))
static int waits;
#endif

static long counted;

// Not a loop.
static int kept(void) {
  int seen = -1;
#pragma omp parallel
  {
#pragma omp atomic
    counted |= 1;
#pragma omp master
    seen = WAITS();
  }
  return seen;
}

// Long enough for a parallel call.
static void converted(void) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    unsigned long x = (unsigned long)i;
    for (int k = 0; k < 3000; ++k) x = x * 6364136223846793005ul + 1442695040888963407ul;
    v[i] += (long)(x % 1009);
  }
}

int main(void) {
  // With more threads than CPUs the default is not to wait.
  SET(100);
  number("at first", kept());
  converted();
  int seen = kept();
#if !defined(_OPENMP) || defined(CLANG_ALONE)
  seen = 0;
#endif
  number("beside loops", seen);
  converted();
  seen = kept();
#if !defined(_OPENMP) || defined(CLANG_ALONE)
  seen = 0;
#endif
  number("and again", seen);
  for (int i = 0; i < 20; ++i) kept();
  number("alone it is as before", kept());
  // What the program says itself stays.
  converted();
  (void)kept();
  SET(50);
  converted();
  number("its own setting", kept());
  converted();
  number("and later", kept());
  show("cells");
  number("counted", counted);
}
// converted: 1 loops, 0 regions, 1 left
