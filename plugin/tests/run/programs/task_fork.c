// task and taskwait, in functions that call themselves: forks, loops of tasks, tasks that wait while the caller's do.
#include "show.h"

static long fib(int x) {
  if (x < 2) return x;
  long a, b;
#pragma omp task shared(a)
  a = fib(x - 1);
#pragma omp task shared(b)
  b = fib(x - 2);
#pragma omp taskwait
  return a + b;
}

// The call runs in the same task: its taskwait waits for the task, too.
static long fib_called(int x) {
  if (x < 2) return x;
  long a, b;
#pragma omp task shared(a) firstprivate(x)
  a = fib_called(x - 1);
  b = fib_called(x - 2);
#pragma omp taskwait
  return a + b;
}

static long many(int depth, int width) {
  long parts[8];
  if (depth == 0) return 1;
  for (int i = 0; i < width; ++i) {
#pragma omp task shared(parts) firstprivate(i)
    parts[i] = many(depth - 1, i) + i;
  }
#pragma omp taskwait
  long sum = 0;
  for (int i = 0; i < width; ++i) sum = sum * 3 + parts[i];
  return sum;
}

// Some of the tasks are made, some not.
static long some(int x) {
  long a = 0, b = 0, c = 0;
  if (x > 1) {
#pragma omp task shared(a)
    a = some(x - 1);
  }
  if (x % 3 == 0) {
#pragma omp task shared(b)
    b = some(x - 2);
  } else if (x > 2) {
#pragma omp task shared(b)
    b = 7 + some(x - 3);
  }
  c = x;
#pragma omp taskwait
  return (a * 5 + b * 3 + c) % 1000003;
}

static void sort(long *from, long *room, int many_of) {
  if (many_of < 2) return;
  const int half = many_of / 2;
#pragma omp task
  sort(from, room, half);
#pragma omp task
  sort(from + half, room + half, many_of - half);
#pragma omp taskwait
  int l = 0, r = half;
  for (int i = 0; i < many_of; ++i) room[i] = r == many_of || (l < half && from[l] <= from[r]) ? from[l++] : from[r++];
  for (int i = 0; i < many_of; ++i) from[i] = room[i];
}

int main(void) {
  long f = 0, g = 0, m = 0, s = 0;
  static long room[n];
#pragma omp parallel
#pragma omp single
  f = fib(18);
  number("fib", f);
#pragma omp parallel
  {
#pragma omp master
    g = fib_called(18);
  }
  number("fib in calls", g);
#pragma omp parallel
#pragma omp masked
  m = many(6, 5);
  number("many", m);
#pragma omp parallel
#pragma omp single nowait
  s = some(17);
  number("some", s);
  for (int i = 0; i < n; ++i) v[i] = i * 7919 % n;
#pragma omp parallel
#pragma omp single
  sort(v, room, n);
  show("sort");
  return 0;
}
// converted: 0 loops, 5 regions, 0 left
