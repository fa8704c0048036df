/* Programs of many small cases: each is a function that returns a number, and the line that it prints names it. */
#pragma once

#include "fib.h"
#include "show.h"

#define CASE(name) static long name(void)
#define RUN(name) printf("case %s: %ld\n", #name, name())

/* A number that depends on all of v, and on its order; v is zero behind it. */
static inline long taken(void) {
  unsigned long mixed = 0;
  for (int i = 0; i <= n; ++i) {
    mixed = (mixed * 31 + (unsigned long)v[i] % 1000003) % 1000003;
    v[i] = 0;
  }
  return (long)mixed;
}
