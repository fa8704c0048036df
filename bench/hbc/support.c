// What the runners ask of the compiler of the programs and of its OpenMP runtime.
#include "hbc/support.h"

#ifdef _OPENMP

#include <omp.h>

void hbc_use_threads(int threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(threads);
}

void hbc_use_levels(int levels) { omp_set_max_active_levels(levels); }

int hbc_openmp_version(void) { return _OPENMP; }

#else

const char *hbc_compiler_version(void) { return __clang_version__; }

#endif
