#ifndef TAKT_BENCH_HBC_SUPPORT_H
#define TAKT_BENCH_HBC_SUPPORT_H

#ifdef __cplusplus
extern "C" {
#endif

const char *hbc_compiler_version(void);

// In runners of OpenMP only: omp.h is that of Clang, which the runner's compiler may not have.
void hbc_use_threads(int threads);
void hbc_use_levels(int levels);
int hbc_openmp_version(void);

#ifdef __cplusplus
}
#endif

#endif
