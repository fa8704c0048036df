// Every schedule, both signs, both widths, any step: each iteration runs once.
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { n = 1000 };
static int seen[n];

static void report(const char *name) {
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += seen[i] != 1;
  printf("%s %d\n", name, wrong);
  memset(seen, 0, sizeof seen);
}

#define LOOPS(label, schedule_clause)                                                        \
  static void label(int low, int high, long long_low, long long_high, unsigned u, int step) { \
    _Pragma(schedule_clause) for (int i = 0; i < high; ++i) seen[i]++;                       \
    report(#label " signed");                                                                \
    _Pragma(schedule_clause) for (int i = low; i < high; ++i) seen[i]++;                     \
    report(#label " signed from");                                                           \
    _Pragma(schedule_clause) for (int i = high - 1; i >= low; --i) seen[i]++;                \
    report(#label " down");                                                                  \
    _Pragma(schedule_clause) for (int i = low; i <= high - 1; i += step) {                   \
      for (int k = i; k < i + step && k < high; ++k) seen[k]++;                              \
    }                                                                                        \
    report(#label " step");                                                                  \
    _Pragma(schedule_clause) for (int i = high; i > low; i -= 7) {                           \
      for (int k = i; k > i - 7 && k > low; --k) seen[k - 1]++;                              \
    }                                                                                        \
    report(#label " step down");                                                             \
    _Pragma(schedule_clause) for (unsigned i = 0; i < u; i++) seen[i]++;                     \
    report(#label " unsigned");                                                              \
    _Pragma(schedule_clause) for (unsigned i = UINT_MAX - u; i < UINT_MAX; i++) {            \
      seen[i - (UINT_MAX - u)]++;                                                            \
    }                                                                                        \
    report(#label " unsigned high");                                                         \
    _Pragma(schedule_clause) for (long i = long_low; i < long_high; ++i) seen[i]++;          \
    report(#label " long");                                                                  \
    _Pragma(schedule_clause) for (unsigned long i = 0; i < (unsigned long)long_high; i++) {  \
      seen[i]++;                                                                             \
    }                                                                                        \
    report(#label " unsigned long");                                                         \
    _Pragma(schedule_clause) for (int i = INT_MIN; i < INT_MIN + high; ++i) {                \
      seen[i - INT_MIN]++;                                                                   \
    }                                                                                        \
    report(#label " from INT_MIN");                                                          \
    _Pragma(schedule_clause) for (short i = 0; i < (short)high; ++i) seen[i]++;              \
    report(#label " short");                                                                 \
    _Pragma(schedule_clause) for (int i = high; i < low; ++i) seen[i]++;                     \
    _Pragma(schedule_clause) for (int i = 0; i < 0; ++i) seen[i]++;                          \
    memset(seen, 0, sizeof seen);                                                            \
    _Pragma(schedule_clause) for (int i = 0; i < n; ++i) seen[i]++;                          \
    report(#label " constant");                                                              \
  }

LOOPS(none, "omp parallel for")
LOOPS(fixed_chunk, "omp parallel for schedule(static, 7)")
LOOPS(dynamic, "omp parallel for schedule(dynamic)")
LOOPS(dynamic_chunk, "omp parallel for schedule(dynamic, 3)")
LOOPS(guided, "omp parallel for schedule(guided)")
LOOPS(automatic, "omp parallel for schedule(auto)")
LOOPS(at_run_time, "omp parallel for schedule(runtime)")
LOOPS(monotonic, "omp parallel for schedule(monotonic : dynamic, 2)")
LOOPS(simd, "omp parallel for simd")
LOOPS(simd_chunk, "omp parallel for simd schedule(simd : static, 5)")

int main(void) {
  none(0, n, 0, n, n, 3);
  fixed_chunk(0, n, 0, n, n, 9);
  dynamic(0, n, 0, n, n, 1);
  dynamic_chunk(0, n, 0, n, n, 1000);
  guided(0, n, 0, n, n, 999);
  automatic(0, n, 0, n, n, 4);
  at_run_time(0, n, 0, n, n, 3);
  monotonic(0, n, 0, n, n, 3);
  simd(0, n, 0, n, n, 3);
  simd_chunk(0, n, 0, n, n, 3);
  return 0;
}
