// Reductions of a region around its loop: the loop is passed by, and code beside it gets the copy of a thread.
#include "cases.h"

__attribute__((noinline)) static long sum_to(int end) {
  long sum = 100;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for
    for (int i = 0; i < end; ++i) sum += i;
  }
  return sum;
}
CASE(passed_by_inside_of_a_loop) {
#pragma omp parallel for
  for (int j = 0; j < n; ++j) v[j] = sum_to(j % 4);
  return taken();
}
__attribute__((noinline)) static long sum_in_place(int end, int in_parallel) {
  long sum = 1000000;
#pragma omp parallel reduction(+ : sum) if (in_parallel)
  {
#pragma omp for nowait
    for (int i = 0; i < end; ++i) sum += i;
  }
  return sum;
}
CASE(passed_by_in_place) { return sum_in_place(0, 0) + 3 * sum_in_place(0, 1) + 5 * sum_in_place(n, 0); }
__attribute__((noinline)) static long sum_if(int wanted) {
  long sum = 1000000;
#pragma omp parallel reduction(+ : sum) num_threads(1)
  {
    if (wanted) {
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < n; ++i) sum += i;
    }
  }
  return sum;
}
CASE(passed_by_on_one_thread) { return sum_if(0) + 3 * sum_if(1); }

/* What a thread has of the sum depends on how many there are: these stay. */
static void note(const long* from, long* to) {
#pragma omp atomic
  *to += *from;
}
__attribute__((noinline)) static long noted(int in_parallel) {
  long sum = 1000000, all = 0;
#pragma omp parallel reduction(+ : sum) if (in_parallel)
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) sum += i;
    note(&sum, &all);
  }
  return sum * 7 + all;
}
CASE(looked_at_behind_the_loop) { return noted(0) + noted(1) > 0; }
static void twice(long* what) { *what *= 2; }
__attribute__((noinline)) static long doubled(int in_parallel) {
  long sum = 1000000;
#pragma omp parallel reduction(+ : sum) if (in_parallel)
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) sum += i;
    twice(&sum);
  }
  return sum;
}
CASE(changed_behind_the_loop) { return doubled(0) + doubled(1) > 0; }

int main(void) {
  RUN(passed_by_inside_of_a_loop);
  RUN(passed_by_in_place);
  RUN(passed_by_on_one_thread);
  RUN(looked_at_behind_the_loop);
  RUN(changed_behind_the_loop);
  return 0;
}
// converted: 4 loops, 0 regions, 2 left
