// Clauses and shapes around tasks that few programs have: small cases.
#include <stdlib.h>

#include "cases.h"

enum { few = 100 };

/* The body of a region that one thread runs. */
#define ONE_THREAD _Pragma("omp parallel") _Pragma("omp single")

CASE(grainsize_strict) {
  ONE_THREAD {
#pragma omp taskloop grainsize(strict : 7)
    for (int i = 0; i < few; ++i) v[i] = i * 2;
  }
  return taken();
}
CASE(num_tasks_strict) {
  ONE_THREAD {
#pragma omp taskloop num_tasks(strict : 7)
    for (int i = 0; i < few; ++i) v[i] = i * 2;
  }
  return taken();
}
CASE(parallel_master_taskloop_simd) {
  long s = 0, last = 0;
#pragma omp parallel master taskloop simd reduction(+ : s) lastprivate(last)
  for (int i = 0; i < few; ++i) {
    s += i * 3;
    last = i;
  }
  return s * 1000 + last;
}
CASE(allocate_clause) {
  long a = 3, r = 0;
  ONE_THREAD {
#pragma omp task allocate(a) firstprivate(a) shared(r)
    r = a + 1;
#pragma omp taskwait
#pragma omp taskgroup task_reduction(+ : r) allocate(r)
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : r) allocate(r)
      r += 0;
    }
  }
  return r;
}
static int by_size(const void* a, const void* b) {
  const long x = *(const long*)a, y = *(const long*)b;
  return (x > y) - (x < y);
}
CASE(library_calls_back_in_tasks) {
  ONE_THREAD
  for (int k = 0; k < 10; ++k) {
#pragma omp task
    {
      for (int i = 0; i < 10; ++i) v[k * 10 + i] = (i * 7 + k) % 10;
      qsort(v + k * 10, 10, sizeof(v[0]), by_size);
    }
  }
  return taken();
}
CASE(memory_of_the_stack_in_tasks) {
  ONE_THREAD
  for (int k = 1; k < 20; ++k) {
#pragma omp task
    {
      long* some = __builtin_alloca((unsigned long)k * sizeof(long));
      for (int i = 0; i < k; ++i) {
#pragma omp task
        some[i] = fib(i % 6);
      }
#pragma omp taskwait
      for (int i = 0; i < k; ++i) v[k] += some[i];
    }
  }
  return taken();
}

/* Functions with a version in which all of their tasks are free, which begins where the first effect is. */
static long counted;
static long with_effects_before(int x) {
  long a = 0, b = 0;
#pragma omp atomic
  counted += x;
  if (x < 2) return 1;
#pragma omp task shared(a)
  a = with_effects_before(x - 1);
#pragma omp task shared(b)
  b = with_effects_before(x - 2);
#pragma omp taskwait
  return a + 2 * b;
}
CASE(effects_before_the_first_task) {
  long a = 0;
  counted = 0;
  ONE_THREAD a = with_effects_before(12);
  return a * 1000 + counted;
}
static void by_address(long* to, int x) {
  *to += x;
  if (x == 0) return;
  long own = *to;
#pragma omp task shared(own)
  by_address(&own, x - 1);
  *to += 2;
#pragma omp taskwait
  *to = *to * 3 % 1009 + own;
}
CASE(results_by_address) {
  long a = 1;
  ONE_THREAD by_address(&a, 12);
  return a;
}
static long choice(int x) {
  long a = 0, b = 0;
  if (x < 1) return 1;
  if (x % 3 == 0) {
#pragma omp task shared(a)
    a = choice(x - 1);
  } else {
#pragma omp task shared(b) final(x < 5)
    b = choice(x - 2);
    if (x % 5 == 0) {
#pragma omp atomic write
      v[x] = 7;
    }
  }
  for (int i = 0; i < 2; ++i) {
#pragma omp taskwait
    a += b + i;
  }
  return a;
}
CASE(tasks_on_some_paths) {
  long a = 0;
  ONE_THREAD {
    for (int i = 0; i < 40; ++i) a = a * 3 % 1009 + choice(i % 14);
  }
  return a + taken();
}
static long with_a_group(int x) {
  long r = 0;
  if (x < 2) return x;
#pragma omp taskgroup task_reduction(+ : r)
  {
#pragma omp task in_reduction(+ : r)
    r += with_a_group(x - 1);
#pragma omp task in_reduction(+ : r)
    r += with_a_group(x - 2);
  }
  return r;
}
CASE(recursion_with_a_reduction) {
  long a = 0;
  ONE_THREAD a = with_a_group(12);
  return a;
}
static long in_order(int x) {
  long a = 1;
  if (x == 0) return a;
#pragma omp task shared(a) depend(out : a)
  a = in_order(x - 1);
#pragma omp task shared(a) depend(inout : a)
  a = a * 3 % 1009 + x;
#pragma omp taskwait
  return a;
}
CASE(recursion_with_dependences) {
  long a = 0;
  ONE_THREAD a = in_order(12);
  return a;
}
static void a_loop_and_a_task(int x) {
  if (x == 0) return;
#pragma omp task
  a_loop_and_a_task(x - 1);
#pragma omp taskloop nogroup
  for (int i = 0; i < 10; ++i) v[x * 10 + i] = i + x;
#pragma omp taskyield
}
CASE(recursion_with_a_taskloop) {
  ONE_THREAD a_loop_and_a_task(12);
  return taken();
}

int main(void) {
  RUN(grainsize_strict);
  RUN(num_tasks_strict);
  RUN(parallel_master_taskloop_simd);
  RUN(allocate_clause);
  RUN(library_calls_back_in_tasks);
  RUN(memory_of_the_stack_in_tasks);
  RUN(effects_before_the_first_task);
  RUN(results_by_address);
  RUN(tasks_on_some_paths);
  RUN(recursion_with_a_reduction);
  RUN(recursion_with_dependences);
  RUN(recursion_with_a_taskloop);
  return 0;
}
// converted: 0 loops, 12 regions, 0 left
