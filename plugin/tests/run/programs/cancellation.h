/* Programs that run once without cancellation, and then with it, by several numbers of workers. */
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
  static const char *const workers[] = {"", "1", "2", "2"};
  const char *const before = getenv("CANCELLATION_ROUND");
  const int round = before == NULL ? 0 : before[0] - '0';
  fflush(stdout);
  if (round == 4) return 0;
  const char next[] = {(char)('1' + round), 0};
  setenv("CANCELLATION_ROUND", next, 1);
  if (workers[round][0] != 0) setenv("TAKT_WORKERS", workers[round], 1);
  if (round == 3) setenv("TAKT_DETERMINISTIC", "1", 1);
#ifdef CLANG_ALONE
  /* A dynamic loop that is cancelled may end libomp by an assertion. */
  setenv("OMP_CANCELLATION", "false", 1);
#else
  setenv("OMP_CANCELLATION", "true", 1);
#endif
  execv("/proc/self/exe", argv);
  return 1;
}
