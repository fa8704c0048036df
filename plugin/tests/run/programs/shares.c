// What each thread's iterations made, added up in a critical section.
#include "cases.h"

typedef struct { double real, imag; } complex_number;
#define ADD(c, a, b) (c.real = a.real + b.real, c.imag = a.imag + b.imag)

CASE(whole_numbers) {
  long s = 4;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i * 3;
#pragma omp critical
    s += mine;
  }
  return s;
}
CASE(more_than_one) {
  long sums[3] = {1, 2, 3};
  double whole = 5;
#pragma omp parallel
  {
    long a = 0, b = 0;
    double c = 0;
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < n; ++i) {
      a += i;
      if (i % 3 == 0) b += 2;
      c += i * 0.5;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) a -= i % 5;
#pragma omp critical(sums)
    {
      sums[1] += a;
      sums[2] += b;
      whole += c;
    }
#pragma omp barrier
#pragma omp single
    v[0] = sums[1] * 3 + sums[2] + (long)(whole * 2);
  }
  return taken();
}
static complex_number all[4], from[n];
static void check(int turn) {
#pragma omp parallel
  {
    complex_number mine;
    mine.real = 0;
    mine.imag = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      if (i % 4 != turn) ADD(mine, mine, from[i]);
    }
#pragma omp critical
    {
      all[turn].real += mine.real;
      all[turn].imag += mine.imag;
    }
#pragma omp barrier
#pragma omp single
    all[turn].real /= 2;
  }
}
CASE(complex_numbers) {
  for (int i = 0; i < n; ++i) {
    from[i].real = i;
    from[i].imag = -2 * i;
  }
  for (int k = 0; k < 4; ++k) check(k);
  long s = 0;
  for (int k = 0; k < 4; ++k) s = s * 7 + (long)(all[k].real * 2) + (long)all[k].imag;
  return s;
}
CASE(in_turns) {
  long s = 0;
#pragma omp parallel
  {
    long whole = 0;
    for (int k = 0; k < 5; ++k) {
      long mine = 0;
#pragma omp for
      for (int i = 0; i < n; ++i) {
        mine += i * k;
        whole += 1;
      }
#pragma omp critical
      s += mine;
    }
#pragma omp critical
    s += whole;
  }
  return s;
}
static void part(long *to, int by) {
  long mine = 0;
#pragma omp for nowait
  for (int i = 0; i < n; ++i) mine += i % by;
#pragma omp critical
  *to += mine;
}
CASE(in_a_function) {
  long s = 0;
#pragma omp parallel
  {
    part(&s, 3);
    part(&s, 7);
  }
  return s;
}

/* These are not shares of a sum: who takes part does what stands behind the loop. */
CASE(does_not_begin_with_nothing) {
  long s = 0;
#pragma omp parallel
  {
    long mine = 1;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i;
#pragma omp critical
    s += mine;
  }
  return s >= 499501;
}
CASE(counts_threads) {
  long s = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i;
    mine += 1;
#pragma omp critical
    s += mine;
  }
  return s >= 499501;
}
CASE(the_most_of_one_thread) {
  long most = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i;
#pragma omp critical
    if (mine > most) most = mine;
  }
  return most > 0;
}
CASE(to_one_of_its_own) {
  long ok = 0;
#pragma omp parallel
  {
    long mine = 0, other = 5;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i;
#pragma omp critical
    other += mine;
#pragma omp critical
    if (other == mine + 5) ok = 1;
  }
  return ok;
}
CASE(read_by_the_iterations) {
  long s = 0;
#pragma omp parallel num_threads(1)
  {
    long mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      mine += i;
      v[i] = mine;
    }
#pragma omp critical
    s += mine;
  }
  return s + taken();
}
CASE(used_again) {
  long s = 0, ok = 1;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine += i;
#pragma omp critical
    s += mine;
#pragma omp barrier
#pragma omp critical
    if (mine > s) ok = 0;
  }
  return s + ok;
}
CASE(a_product) {
  long s = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine += i;
#pragma omp critical
    s += mine * mine;
  }
  return s > 0;
}

int main(void) {
  RUN(whole_numbers);
  RUN(more_than_one);
  RUN(complex_numbers);
  RUN(in_turns);
  RUN(in_a_function);
  RUN(does_not_begin_with_nothing);
  RUN(counts_threads);
  RUN(the_most_of_one_thread);
  RUN(to_one_of_its_own);
  RUN(read_by_the_iterations);
  RUN(used_again);
  RUN(a_product);
  return 0;
}
// converted: 13 loops, 5 regions, 1 left
