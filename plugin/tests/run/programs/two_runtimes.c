// A region that stays with the OpenMP runtime, beside loops of takt's: the other runtime's threads sleep when it is over,
// not inside of it, as long as takt uses the CPUs, and are as before when it does not any more.
// With libomp.
#define _GNU_SOURCE
#include "show.h"

#include <dlfcn.h>
#include <stdlib.h>

static int told;  // how many threads were to sleep

#if defined(_OPENMP) && !defined(CLANG_ALONE)
#define IS_TAKT 1
// Those of the OpenMP runtime, with a look at who calls them.
int kmp_get_blocktime(void) { return ((int (*)(void))dlsym(RTLD_NEXT, "kmp_get_blocktime"))(); }
void kmp_set_blocktime(int ms) {
  if (ms == 0) __atomic_fetch_add(&told, 1, __ATOMIC_RELAXED);
  ((void (*)(int))dlsym(RTLD_NEXT, "kmp_set_blocktime"))(ms);
}
int omp_get_max_threads(void);
#define WAITS() kmp_get_blocktime()
#define SET(ms) kmp_set_blocktime(ms)
#else
#define IS_TAKT 0
#define WAITS() waits
#define SET(ms) (void)(waits = (ms))
static int waits;
#endif

static long counted;
static int wait_inside;  // as the last of its threads has seen it

// Not a loop. @returns whether all of its threads were told to sleep behind it, or none; else how many.
static int kept(int all) {
  told = 0;
#pragma omp parallel
  {
#pragma omp atomic
    counted |= 1;
#pragma omp critical
    wait_inside = WAITS();
  }
#if IS_TAKT
  return told == (all ? omp_get_max_threads() : 0) ? all : told;
#else
  return all;
#endif
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
  SET(200);
  number("at first", kept(0));
  converted();
  number("beside loops", kept(1));
  number("as before inside", wait_inside);
  converted();
  number("and again", kept(1));
  number("as before inside", wait_inside);
  number("as before outside", WAITS());
  for (int i = 0; i < 20; ++i) (void)kept(1);
  number("alone", kept(0));
  // What the program says itself stays.
  SET(50);
  converted();
  number("its own setting", kept(0));
  number("inside", wait_inside);
  show("cells");
  number("counted", counted);
}
// converted: 1 loops, 0 regions, 1 left
