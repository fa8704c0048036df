/* Iterations that look at the number of their thread: it is below omp_get_max_threads(), and no two at one time have the
   same one. */
#include "cases.h"

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void) { return 0; }
static int omp_get_max_threads(void) { return 1; }
static void omp_set_num_threads(int threads) { (void)threads; }
#endif

enum { most = 1024 };
static long places[most][8];
static int busy[most], wrong;

static void come_to(int number) {
  if (number >= omp_get_max_threads() || __atomic_exchange_n(&busy[number], 1, __ATOMIC_ACQ_REL))
    __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}
// Long enough for others to come.
static long work(int i, int steps) {
  long mixed = 0;
  for (int k = 0; k < steps; ++k) mixed = (mixed * 31 + i + k) % 1000003;
  return mixed;
}
static void leave(int number) { __atomic_store_n(&busy[number], 0, __ATOMIC_RELEASE); }
static void visit(int number, int i) {
  come_to(number);
  places[number][0] += work(i, 300);
  leave(number);
}
static long sum_of_places(void) {
  long sum = 0;
  for (int t = 0; t < most; ++t) sum += places[t][0], places[t][0] = 0;
  return sum + 1000003 * wrong;
}

CASE(sums) {
#pragma omp parallel for
  for (int i = 0; i < 5000; ++i) visit(omp_get_thread_num(), i);
  return sum_of_places();
}
CASE(in_chunks) {
  long all = 0;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : all)
  for (int i = 0; i < 5000; ++i) {
    come_to(omp_get_thread_num());
    places[omp_get_thread_num()][0] += work(i, 300);
    all += work(i, 10) > 0;
    leave(omp_get_thread_num());
  }
  return sum_of_places() + all;
}
CASE(in_front) {
#pragma omp parallel
  {
    int number = omp_get_thread_num();
#pragma omp for schedule(guided)
    for (int i = 0; i < 5000; ++i) visit(number, i);
  }
  return sum_of_places();
}
// Made by who comes first; given back behind the loop.
CASE(made_lazily) {
  static long *made[most];
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const int number = omp_get_thread_num();
    come_to(number);
    if (made[number] == 0) made[number] = places[number];
    for (long k = 0; k < 8; ++k) made[number][k] = work(i, 100 * (int)k);
    for (long k = 0; k < 8; ++k) v[i] += made[number][k];
    leave(number);
  }
  for (int t = 0; t < most; ++t) places[t][0] = 0;
  return taken() + sum_of_places();
}
// An iteration that waits for a loop of its own keeps its number.
CASE(waits) {
#pragma omp parallel for
  for (int i = 0; i < 300; ++i) {
    const int number = omp_get_thread_num();
    come_to(number);
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < 100; ++k) sum += work(i, k);
    places[omp_get_thread_num()][0] += sum;
    leave(number);
  }
  return sum_of_places();
}
// Loops inside another one go by what the program has set.
CASE(inside) {
  const int before = omp_get_max_threads();
  long sum = 0;
  for (int asked = 1; asked <= 2; ++asked) {
    omp_set_num_threads(asked);
    int last = 0;
#pragma omp parallel for reduction(max : last)
    for (int j = 0; j < 40; ++j) {
      long mine = 0;
      int most_here = 0;
#pragma omp parallel for reduction(+ : mine) reduction(max : most_here)
      for (int i = 0; i < 200; ++i) {
        const int number = omp_get_thread_num();
        mine += work(i, 300);
        if (number > most_here) most_here = number;
      }
      v[j] = mine;
      if (most_here > last) last = most_here;
    }
    sum += taken() + (last >= asked);
  }
  omp_set_num_threads(before);
  return sum;
}
// Looked at in another way than as a number.
CASE(in_bytes) {
#pragma omp parallel
  {
    int number = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 5000; ++i) {
      come_to(number);
      places[*(unsigned char *)&number][0] += work(i, 300);
      leave(number);
    }
  }
  return sum_of_places();
}
CASE(each_time_anew) {
#pragma omp parallel
  {
    volatile int number = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 5000; ++i) visit(number, i);
  }
  return sum_of_places();
}
// With a thread for each iteration the number is that of the iteration.
CASE(one_each) {
  const int threads = omp_get_max_threads();
  long sum = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for
    for (int t = 0; t < threads; ++t) places[omp_get_thread_num()][0] += work(t, 50000) >= 0;
    for (int t = 0; t < threads; ++t) sum += places[t][0] == 1 + round;
  }
  sum -= 20 * threads;
  for (int t = 0; t < threads; ++t) places[t][0] = 0;
  return sum;
}
CASE(a_team_of_two) {
  long wrong_ones = 0;
#pragma omp parallel for num_threads(2) reduction(+ : wrong_ones)
  for (int i = 0; i < n; ++i) {
    const int number = omp_get_thread_num();
    v[i] = work(i, 300);
    wrong_ones += number >= 2;
  }
  return taken() + wrong_ones;
}
CASE(a_team_of_one) {
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 100; ++i) v[i] = omp_get_thread_num();
  return taken();
}

int main(void) {
  RUN(sums);
  RUN(in_chunks);
  RUN(in_front);
  RUN(made_lazily);
  RUN(waits);
  RUN(inside);
  RUN(in_bytes);
  RUN(each_time_anew);
  RUN(one_each);
  RUN(a_team_of_two);
  RUN(a_team_of_one);
  return 0;
}
// converted: 11 loops, 0 regions, 2 left
