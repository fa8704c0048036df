// Loop variables of 32 bits without sign, bounds of 64 and steps of more than one: Clang's number of iterations is wrong where
// the loop begins with a constant below its step.
#include <stddef.h>

#include "show.h"

#ifdef CLANG_ALONE
typedef size_t narrow;
#else
typedef unsigned narrow;
#endif

static void add(size_t i, size_t end) {
  if (i < end) {
#pragma omp atomic
    v[i] += 1;
  } else {
#pragma omp atomic
    v[n] += 1;
  }
}

static void of_length(size_t end) {
#pragma omp parallel for
  for (narrow i = 0; i < end; i += 2) add(i, end);
#pragma omp parallel for schedule(dynamic, 3)
  for (narrow i = 1; i <= end; i += 5) add(i - 1, end);
#pragma omp parallel for
  for (narrow i = 2; i < end; i += 3) add(i, end);
#pragma omp parallel for collapse(2)
  for (narrow i = 0; i < end; i += 4) {
    for (narrow j = 3; j < end; j += 7) add((i + j) % end, end);
  }
  // Of none Clang makes 2^32, each of which finds that there is nothing to do.
#pragma omp parallel
#pragma omp single
  if (end != 0) {
#pragma omp taskloop
    for (narrow i = 0; i < end; i += 2) add(i, end);
  }
  show("unsigned");
  const long signed_end = (long)end;
#pragma omp parallel for
  for (int i = 0; i < signed_end; i += 3) add((size_t)i, end);
#pragma omp parallel for
  for (int i = (int)signed_end - 1; i >= 0l; i -= 2) add((size_t)i, end);
  show("signed");
}

int main(void) {
  const size_t ends[] = {0, 1, 2, 13, 14, 999};
  for (unsigned e = 0; e < sizeof ends / sizeof *ends; ++e) of_length(ends[e]);
  return 0;
}
// converted: 6 loops, 1 regions, 0 left
