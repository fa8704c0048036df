// Constructs of a region in functions that it calls.
#include "cases.h"

enum { few = 40 };

/* With variables of its own: scratch, and what it carries from one loop to the next. */
static void scratch(long by) {
  int j;
  long row[4];
#pragma omp for
  for (int i = 0; i < n; ++i) {
    for (j = 0; j < 4; ++j) row[j] = i * j + by;
    for (j = 0; j < 4; ++j) v[i] += row[j];
  }
}
CASE(scratch_of_the_function) {
#pragma omp parallel
  {
    scratch(1);
    scratch(2);
  }
  return taken();
}

static void inner(long *from, long by) {
#pragma omp for nowait
  for (int i = 0; i < n; ++i) v[i] += from[i % few] * by;
}
static void outer(long by) {
  long values[few];
  for (int i = 0; i < few; ++i) values[i] = i + by;
  inner(values, by);
#pragma omp barrier
  inner(values, by + 1);
#pragma omp barrier
}
CASE(a_function_in_a_function) {
#pragma omp parallel
  for (int k = 0; k < 5; ++k) outer(k);
  return taken();
}

/* An array that is private to the caller is written in the function's loop, and read in the next one: each thread has
   what its own iterations left there. */
static void leave(long *in) {
#pragma omp for schedule(static)
  for (int i = 0; i < few; ++i) in[i] = i * 7;
}
static void find(const long *in) {
#pragma omp for schedule(static)
  for (int i = 0; i < few; ++i) v[i] = in[i];
}
CASE(carried_in_an_array_of_the_caller) {
#pragma omp parallel
  {
    long kept[few];
    leave(kept);
    find(kept);
  }
  return taken();
}
/* The same from one call to the next. */
static void twice(long *in, int turn) {
#pragma omp for schedule(static)
  for (int i = 0; i < few; ++i) {
    if (turn == 0) in[i] = i * 5;
    v[i] += in[i];
  }
}
CASE(carried_from_call_to_call) {
#pragma omp parallel
  {
    long kept[few];
    for (int k = 0; k < 3; ++k) twice(kept, k);
  }
  return taken();
}

static long summed(long by) {
  static long s;
#pragma omp single
  s = 0;
#pragma omp for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += v[i] + by;
  long answer = s;
#pragma omp barrier
  return answer;
}
CASE(an_answer) {
  long all = 0;
#pragma omp parallel
  {
    scratch(3);
    long one = summed(1), two = summed(2);
#pragma omp single
    all = one * 3 + two;
  }
  return all + taken();
}

/* Not in the sections themselves: Clang would read both places in either of them, under ThreadSanitizer, too. */
static __attribute__((noinline)) void add(int place, long by) { v[place] += by; }
static void chosen(int which) {
  if (which % 2 == 0) {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < n; ++i) v[i] += which;
    return;
  }
#pragma omp sections
  {
#pragma omp section
    add(0, 50);
#pragma omp section
    add(1, 60);
  }
}
CASE(two_ways_through_it) {
#pragma omp parallel
  for (int k = 0; k < 4; ++k) chosen(k);
  return taken();
}

static void waits(void) {
#pragma omp barrier
}
CASE(a_barrier_alone) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) v[i] = i;
    waits();
#pragma omp for
    for (int i = 0; i < n; ++i) v[n - 1 - i] += i;
  }
  return taken();
}

/* In a region that is one thread's, and where there is none. */
CASE(in_order) {
  int one = 1 + (int)v[0];
#pragma omp parallel if (one > 1)
  {
    scratch(1);
    chosen(1);
  }
#pragma omp parallel num_threads(one)
  scratch(2);
  scratch(3);
  chosen(1);
  return taken();
}

/* With a region in it. */
static void with_region(long by) {
#pragma omp for
  for (int i = 0; i < few; ++i) {
    long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < few; ++j) s += i * j + by;
    v[i] += s;
  }
}
CASE(a_region_in_it) {
#pragma omp parallel
  {
    with_region(1);
    with_region(2);
  }
  with_region(3);
  return taken();
}

static void counted(long *counts) {
#pragma omp critical
  ++*counts;
#pragma omp for
  for (int i = 0; i < n; ++i) v[i] += i;
}
/* What each thread does cannot be done by one. */
CASE(each_thread_counts) {
  long counts = 0;
#pragma omp parallel
  counted(&counts);
  return (counts > 0) + taken();
}

/* Its own loop, with a way back to itself. */
static void again(int depth) {
#pragma omp for
  for (int i = 0; i < few; ++i) v[i] += depth;
  if (depth > 0) again(depth - 1);
}
CASE(it_calls_itself) {
#pragma omp parallel
  again(3);
  return taken();
}

/* By a pointer: nobody knows what is in it. */
CASE(by_a_pointer) {
  void (*volatile kept)(long) = scratch;
#pragma omp parallel
  kept(4);
  return taken();
}

static void many(int k, ...) {
#pragma omp for
  for (int i = 0; i < few; ++i) v[i] += k;
}
CASE(any_number_of_arguments) {
#pragma omp parallel
  many(4, 5, 6);
  return taken();
}

static void makes_tasks(int x) {
#pragma omp single
  {
#pragma omp task
    v[0] = fib(x);
    v[1] = fib(x - 1);
  }
#pragma omp for
  for (int i = 2; i < few; ++i) v[i] = fib(i % 8) + v[0] + v[1];
}
CASE(with_tasks) {
#pragma omp parallel
  makes_tasks(9);
  return taken();
}

int main(void) {
  RUN(scratch_of_the_function);
  RUN(a_function_in_a_function);
  RUN(carried_in_an_array_of_the_caller);
  RUN(carried_from_call_to_call);
  RUN(an_answer);
  RUN(two_ways_through_it);
  RUN(a_barrier_alone);
  RUN(in_order);
  RUN(a_region_in_it);
  RUN(each_thread_counts);
  RUN(it_calls_itself);
  RUN(by_a_pointer);
  RUN(any_number_of_arguments);
  RUN(with_tasks);
  return 0;
}
// converted: 21 loops, 8 regions, 6 left
