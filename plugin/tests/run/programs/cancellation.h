/* Programs that run twice: without cancellation, and with it. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_cancellation(void) { return 0; }
#endif

static inline int again_with_cancellation(int argc, char **argv) {
  (void)argc;
  fflush(stdout);
  if (getenv("OMP_CANCELLATION") != NULL) return 0;
#ifdef CLANG_ALONE
  /* A dynamic loop that is cancelled may end libomp by an assertion. */
  setenv("OMP_CANCELLATION", "false", 1);
#else
  setenv("OMP_CANCELLATION", "true", 1);
#endif
  execv("/proc/self/exe", argv);
  return 1;
}
