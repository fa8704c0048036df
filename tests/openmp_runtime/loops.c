/* Worksharing loops: each iteration once, whatever the schedule; ordered, sections, doacross. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <string.h>

#include "check.h"

enum { k_n = 1013 };
static int hits[k_n];

static void all_once(void) {
  for (int i = 0; i < k_n; ++i) CHECK(hits[i] == 1);
  memset(hits, 0, sizeof hits);
}

#define LOOP(clauses)                                        \
  do {                                                       \
    int last = -1;                                           \
    _Pragma("omp parallel") {                                \
      CLAUSED(omp for lastprivate(last) clauses)             \
      for (int i = 0; i < k_n; ++i) {                        \
        _Pragma("omp atomic") hits[i]++;                     \
        last = i;                                            \
      }                                                      \
      CHECK(last == k_n - 1);                                \
    }                                                        \
    all_once();                                              \
  } while (0)
#define CLAUSED(text) _Pragma(#text)

static void schedules(void) {
  LOOP();
  LOOP(schedule(static));
  LOOP(schedule(static, 7));
  LOOP(schedule(dynamic));
  LOOP(schedule(dynamic, 5));
  LOOP(schedule(guided));
  LOOP(schedule(guided, 9));
  LOOP(schedule(auto));
  LOOP(schedule(runtime));
  LOOP(schedule(monotonic : dynamic, 3));
  for (int what = 1; what <= 4; ++what) {
    for (int chunk = 0; chunk < 4; ++chunk) {
      omp_set_schedule((omp_sched_t)what, chunk);
      omp_sched_t is;
      int of;
      omp_get_schedule(&is, &of);
      CHECK(((int)is & 0x7fffffff) == what && (chunk == 0 || what == 4 || of == chunk));
      LOOP(schedule(runtime));
    }
  }
}

static void many_without_waiting(void) {
  long sums[40];
  memset(sums, 0, sizeof sums);
#pragma omp parallel
  {
    for (int round = 0; round < 40; ++round) {
#pragma omp for schedule(dynamic, 2) nowait
      for (int i = 0; i < 64; ++i) {
#pragma omp atomic
        sums[round] += i;
      }
    }
  }
  for (int round = 0; round < 40; ++round) CHECK(sums[round] == 64 * 63 / 2);
}

static void shapes(void) {
  long long sum = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
  for (int i = 100; i > -100; i -= 7) sum += i;
  long long right = 0;
  for (int i = 100; i > -100; i -= 7) right += i;
  CHECK(sum == right);
  unsigned long long far = 0;
#pragma omp parallel for schedule(guided) reduction(+ : far)
  for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX - 3; i += 2) far += i & 0xff;
  unsigned long long far_right = 0;
  for (unsigned long long i = ULLONG_MAX - 50; i < ULLONG_MAX - 3; i += 2) far_right += i & 0xff;
  CHECK(far == far_right);
  int none = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : none)
  for (int i = 5; i < 5; ++i) none += 1;
#pragma omp parallel for reduction(+ : none)
  for (int i = 5; i < 3; ++i) none += 1;
  CHECK(none == 0);
  int one = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : one)
  for (unsigned i = UINT_MAX - 1; i < UINT_MAX; ++i) one += 1;
  CHECK(one == 1);
  int cells = 0;
#pragma omp parallel for collapse(3) schedule(dynamic, 4) reduction(+ : cells)
  for (int a = 0; a < 7; ++a)
    for (int b = 0; b < 5; ++b)
      for (int c = 0; c < 3; ++c) cells += 1;
  CHECK(cells == 7 * 5 * 3);
}

#define IN_ORDER(clauses)                                 \
  do {                                                    \
    int next = 0;                                         \
    CLAUSED(omp parallel for ordered clauses)             \
    for (int i = 0; i < 100; ++i) {                       \
      _Pragma("omp ordered") {                            \
        CHECK(next == i);                                 \
        ++next;                                           \
      }                                                   \
    }                                                     \
    CHECK(next == 100);                                   \
  } while (0)

static void ordered(void) {
  IN_ORDER();
  IN_ORDER(schedule(static, 3));
  IN_ORDER(schedule(dynamic));
  IN_ORDER(schedule(dynamic, 4));
  IN_ORDER(schedule(guided));
  /* Not each iteration comes to the ordered region. */
  int last = -1;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (int i = 0; i < 60; ++i) {
    if (i % 3 != 0) continue;
#pragma omp ordered
    {
      CHECK(last < i);
      last = i;
    }
  }
  CHECK(last == 57);
}

static void sections(void) {
  int a = 0, b = 0, c = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel sections
    {
#pragma omp section
      ++a;
#pragma omp section
      ++b;
#pragma omp section
      ++c;
    }
  }
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp section
      ++a;
#pragma omp section
      ++b;
    }
  }
  CHECK(a == 21 && b == 21 && c == 20);
}

static void doacross(void) {
  enum { k_rows = 40, k_columns = 30 };
  static int field[k_rows][k_columns];
  memset(field, 0, sizeof field);
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 0; i < k_rows; ++i) {
    for (int j = 0; j < k_columns; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      int up = i > 0 ? field[i - 1][j] : 0, left = j > 0 ? field[i][j - 1] : 0;
      field[i][j] = (up > left ? up : left) + 1;
#pragma omp ordered depend(source)
    }
  }
  for (int i = 0; i < k_rows; ++i)
    for (int j = 0; j < k_columns; ++j) CHECK(field[i][j] == i + j + 1);
}

/* schedule(simd: runtime), which no compiler here makes: all chunks but the last one are of whole vectors. */
static void vectors(void) {
  enum { k_simd_runtime = 47, k_vector = 4 };
  void (*init)(void*, int, int, int, int, int, int) = dlsym(RTLD_DEFAULT, "__kmpc_dispatch_init_4");
  int (*next)(void*, int, int*, int*, int*, int*) = dlsym(RTLD_DEFAULT, "__kmpc_dispatch_next_4");
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
  for (int k = 0; k < 4; ++k) {
    for (int asked = 0; asked < 3; ++asked) {
      omp_set_schedule(kinds[k], asked);
      const int least = (asked == 0 || kinds[k] == omp_sched_auto ? 1 : asked) * k_vector;
#pragma omp parallel
      {
        int last, lower, upper, step;
        init(NULL, omp_get_thread_num(), k_simd_runtime, 0, k_n - 1, 1, k_vector);
        while (next(NULL, omp_get_thread_num(), &last, &lower, &upper, &step)) {
          CHECK(upper == k_n - 1 || (upper - lower + 1) % least == 0);
          for (int i = lower; i <= upper; ++i) {
#pragma omp atomic
            ++hits[i];
          }
        }
      }
      all_once();
    }
  }
}

int main(void) {
  schedules();
  vectors();
  many_without_waiting();
  shapes();
  ordered();
  sections();
  doacross();
  puts("right");
  return 0;
}
