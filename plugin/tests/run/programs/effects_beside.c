// What each thread writes beside the constructs of a region, to variables that they share: the same, or it is a race.
#include "cases.h"

static long global, *pointer = v;
static struct { long first, *rest; } record;

CASE(a_global_variable) {
  long s = 0;
#pragma omp parallel
  {
    global = 7;
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i) s += i;
#pragma omp single
    v[0] = global + s;
  }
  return s + taken();
}
CASE(a_captured_variable) {
  long x = 1, s = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i) s += i;
    x = s;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i * 3;
  }
  return x + taken();
}
CASE(beside_one_loop) {
  long x = 1;
#pragma omp parallel
  {
    x = 5;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i * x;
  }
  return taken();
}
static void set(long *what, long to) { *what = to; }
CASE(through_pointers) {
  long *mine = v + 10;
  record.rest = v + 20;
#pragma omp parallel
  {
    pointer[0] = 1;
    mine[1] = 2;
    record.rest[2] = 3;
    set(&record.first, 4);
    set(v + 30, 5);
    for (int i = 40; i < 50; ++i) v[i] = i;
#pragma omp barrier
#pragma omp for
    for (int i = 100; i < n; ++i) v[i] = v[0] + v[11] + v[22] + v[30] + v[40 + i % 10] + record.first;
#pragma omp for
    for (int i = 100; i < n; ++i) v[i] *= i;
  }
  return taken();
}

/* In turn, which one thread cannot do for all: the number of threads shows, unless somebody makes up for it. */
CASE(in_a_critical_section) {
  long threads = 0, s = 0;
#pragma omp parallel
  {
#pragma omp critical
    threads += 1;
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i) s += i;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i;
  }
  return s + (threads > 0) + taken();
}
/* Of memory that only one thread knows there is one for each. */
static long *volatile kept[1000];
CASE(memory_of_its_own) {
  long s = 0;
#pragma omp parallel
  {
    static long buffers[8][8];
    static int next;
    int number;
#pragma omp atomic capture
    number = next++;
    long *own = buffers[number % 8];
    own[0] = 3;
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; ++i) s += own[0] * i;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i;
  }
  return s + taken() + (kept[0] != 0);
}

int main(void) {
  RUN(a_global_variable);
  RUN(a_captured_variable);
  RUN(beside_one_loop);
  RUN(through_pointers);
  RUN(in_a_critical_section);
  RUN(memory_of_its_own);
  return 0;
}
// converted: 6 loops, 4 regions, 2 left
