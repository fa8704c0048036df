/* Of what LLVM's own runtime gets wrong with several threads, or cannot do: one thread, which has no copies. Regions
   stay with it under UBSan, too, whose checks stand beside the constructs. */
#pragma once

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(_OPENMP) && (defined(CLANG_ALONE) || __has_feature(undefined_behavior_sanitizer))
#include <omp.h>
static inline void by_clang_alone(void) { omp_set_num_threads(1); }
#else
static inline void by_clang_alone(void) {}
#endif
