// Private variables that live from one execution of a loop to the next: the region stays. Those that do not are no
// reason to.
#include "cases.h"

enum { few = 40 };

/* Overwrites what is on the stack below. */
static long fill(long x) {
  volatile long a[64];
  for (int i = 0; i < 64; ++i) a[i] = x + i;
  return a[x % 64] * 0;
}

/* The same iterations on the same thread each time. */
CASE(from_one_static_loop_to_the_next) {
  long s = 0;
#pragma omp parallel
  {
    long kept[few];
    for (int k = 0; k < 6; ++k) {
#pragma omp for schedule(static)
      for (int i = 0; i < few; ++i) {
        if (k == 0) {
          kept[i] = i;
        } else {
          kept[i] += k;
        }
        v[i] = kept[i];
      }
#pragma omp single
      for (int i = 0; i < few; ++i) s = s * 3 % 1000003 + v[i] + fill(k);
    }
  }
  return s + taken();
}
CASE(in_a_team_of_one) {
  const int one = 1 + (int)v[0];
#pragma omp parallel num_threads(one)
  {
    long y;
    for (int k = 0; k < 6; ++k) {
#pragma omp for
      for (int i = 0; i < 10; ++i) {
        if (i == 0 && k == 0) y = 1;
        y += i + k;
        v[k] = y;
      }
#pragma omp single
      v[k + 10] = v[k] * 3 + fill(k);
    }
  }
  return taken();
}
static long* published;
CASE(by_its_address) {
  long s = 0;
#pragma omp parallel
  {
    long x;
#pragma omp for
    for (int i = 0; i < few; ++i) {
      v[i] = i;
      if (i == 3) {
        x = 41;
        published = &x;
      }
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < few; ++i) s += *published + fill(i);
  }
  return s + taken();
}

/* Nothing is carried. */
CASE(set_in_each_iteration) {
  long s = 0;
#pragma omp parallel
  {
    long x;
    for (int k = 0; k < 6; ++k) {
#pragma omp for reduction(+ : s)
      for (int i = 0; i < few; ++i) {
        x = i * k;
        s += x;
      }
    }
  }
  return s;
}
CASE(scratch_of_one_loop) {
  long s = 0;
#pragma omp parallel
  {
    long a[4];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < few; ++i) {
      for (int k = 0; k < 4; ++k) a[k] = i + k;
      for (int k = 0; k < 4; ++k) s += a[k] * a[3 - k];
    }
#pragma omp for
    for (int i = 0; i < few; ++i) v[i] = i;
  }
  return s + taken();
}
CASE(scratch_inside_of_a_loop_that_repeats) {
  long s = 0, b[4];
#pragma omp parallel
  for (int j = 0; j < 3; ++j) {
#pragma omp for reduction(+ : s) private(b)
    for (int i = 0; i < few; ++i) {
      long a[4];
      for (int k = 0; k < 4; ++k) a[k] = b[k] = i + k + j;
      for (int k = 0; k < 4; ++k) s += a[k] * b[3 - k];
    }
  }
  return s;
}

int main(void) {
  RUN(from_one_static_loop_to_the_next);
  RUN(in_a_team_of_one);
  RUN(by_its_address);
  RUN(set_in_each_iteration);
  RUN(scratch_of_one_loop);
  RUN(scratch_inside_of_a_loop_that_repeats);
  return 0;
}
// converted: 4 loops, 3 regions, 3 left
