// depend clauses: chains, readers and writers, a wavefront, lists of a computed length, with if, final and taskwait, in
// functions that are called while tasks wait, and through pointers.
#include "fib.h"
#include "show.h"

enum { side = 24 };
static long grid[side + 1][side + 1];
static long cells[40];

// Its task comes after those of the caller, and before those that follow.
static void append(long *x, long digit) {
#pragma omp task depend(inout : x[0])
  *x = *x * 3 % 1000003 + digit + fib(4);
}
static void append_by(void (*how)(long *, long), long *x, long digit) { how(x, digit); }
static void add_one(long *sum) {
#pragma omp task
  {
#pragma omp atomic
    *sum += 1;
  }
}

static void wavefront(void) {
  for (int i = 1; i <= side; ++i) {
    for (int j = 1; j <= side; ++j) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
      grid[i][j] = (grid[i - 1][j] * 3 + grid[i][j - 1] * 5 + fib((i + j) % 7)) % 1000003;
    }
  }
}

static void halves(long *a, int length) {
  if (length < 4) {
    for (int i = 0; i < length; ++i) a[i] = a[i] * 7 + i;
    return;
  }
  int half = length / 2;
#pragma omp task depend(inout : a[0])
  halves(a, half);
#pragma omp task depend(inout : a[half])
  halves(a + half, length - half);
#pragma omp task depend(in : a[0], a[half])
  for (int i = 0; i < length; ++i) a[i] = (a[i] + a[length - 1]) % 1000003;
#pragma omp taskwait
}

int main(void) {
  long x = 1, y = 0, sum = 0, ones = 0, late = 0, both = 0;
  long several[8] = {0};
  int zero = 0;
  for (int i = 0; i <= side; ++i) grid[0][i] = grid[i][0] = i;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 200; ++i) {
#pragma omp task depend(inout : x)
    x = (x * 7 + fib(i % 6)) % 1000003;
  }
  number("a chain", x);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; ++round) {
#pragma omp task depend(out : y)
    y = round * 5L + fib(5);
    for (int i = 0; i < 8; ++i) {
#pragma omp task depend(in : y) depend(out : several[i])
      several[i] += y + i;
    }
#pragma omp task depend(iterator(int i = 0 : 8), in : several[i]) depend(inout : sum)
    for (int i = 0; i < 8; ++i) sum = (sum * 3 + several[i]) % 1000003;
  }
  number("readers and writers", sum);
#pragma omp parallel
#pragma omp single
  wavefront();
  for (int i = 0; i <= side; ++i) v[i] = grid[side][i];
  show("wavefront");
  x = 1;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 30; ++i) {
#pragma omp task depend(inout : x)
      x += fib(i % 5);
      add_one(&ones);
      append(&x, i);
      add_one(&ones);
#pragma omp task depend(inout : x)
      x = x * 2 % 1000003;
      append_by(append, &x, i);
    }
    append(&x, 7);
  }
  number("in functions", x);
  number("others", ones);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : y)
    y = 1;
#pragma omp task depend(inout : y) if (zero)
    y = y * 10 + 2;
    late = y;
#pragma omp task depend(inout : y) final(zero == 0)
    y = y * 10 + fib(6);
#pragma omp task depend(inout : y)
    y = y * 10 + 3;
#pragma omp task depend(out : both)
    both = 5;
#pragma omp taskwait depend(in : y)
    late = late * 1000 + y;
#pragma omp task depend(mutexinoutset : both)
    both += 2;
#pragma omp task depend(mutexinoutset : both)
    both += 3;
#pragma omp task depend(in : both)
    both *= 10;
  }
  number("if, final and taskwait", late);
  number("one at a time", both);
  for (int i = 0; i < 40; ++i) cells[i] = i;
#pragma omp parallel
#pragma omp single
  halves(cells, 40);
  for (int i = 0; i < 40; ++i) v[100 + i] = cells[i];
  show("halves");
  // More addresses than fit a small table, and each twice.
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < n; ++i) {
#pragma omp task depend(out : v[i])
    v[i] = i;
    if (i % 100 == 99) {
      for (int k = i - 99; k <= i; ++k) {
#pragma omp task depend(inout : v[k])
        v[k] += fib(k % 8);
      }
    }
  }
  show("many");
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; ++i) {
#pragma omp task untied depend(inout : x)
    x = (x * 3 + fib(i % 4)) % 1000003;
  }
  number("untied", x);
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 4;
#pragma omp task depend(inout : x)
    x *= 5;
  }
  number("a team of one", x);
  return 0;
}
// converted: 0 loops, 9 regions, 0 left
