// Parallel regions with several loops, sections and blocks that one thread runs: what any number of threads gives.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 1500 };
static long a[n], b[n];

static long sum(const long *v) {
  long s = 0;
  for (int i = 0; i < n; ++i) s = (s * 31 + v[i]) % 1000003;
  return s;
}

static void loops(int k) {
  long total = 0, most = -1;
  int last = -1;
#pragma omp parallel
  {
    int half = k / 2;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i * half;
#pragma omp for schedule(dynamic, 3) reduction(+ : total) reduction(max : most) lastprivate(last)
    for (int i = 0; i < n; ++i) {
      total += a[n - 1 - i] + half;
      if (a[i] > most) most = a[i];
      last = i;
    }
#pragma omp for nowait schedule(static, 7)
    for (int i = 0; i < n; ++i) b[i] = total % 97 + i;
#pragma omp for nowait schedule(guided)
    for (int i = n; i > 0; i -= 2) a[i - 1] += 1;
  }
  printf("loops %ld %ld %d %ld %ld\n", total, most, last, sum(a), sum(b));
}

static void sections(void) {
  long one = 0, two = 0, three = 0;
  int last = 0;
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < n; ++i) one += i;
#pragma omp section
    for (int i = 0; i < n; ++i) two += 2 * i;
    // A comment between sections.
#pragma omp section
    three = 3;
  }
  printf("parallel sections %ld %ld %ld\n", one, two, three);
  int start = 5;
  long both = 0;
#pragma omp parallel
  {
#pragma omp sections lastprivate(last) reduction(+ : both) firstprivate(start)
    {
#pragma omp section
      {
        start += 1;
        both += start;
        last = 1;
      }
#pragma omp section
      {
        both += 10;
        last = 2;
      }
    }
#pragma omp sections nowait
    {
      a[0] = 100;
#pragma omp section
      a[1] = 200;
    }
#pragma omp for
    for (int i = 2; i < n; ++i) a[i] = both + last;
  }
  printf("sections %ld %d %ld\n", both, last, sum(a));
}

static void once(void) {
  int singles = 0, masters = 0, masked = 0, value = 0;
  long seen = 0;
  int mine = 1;
#pragma omp parallel firstprivate(mine)
  {
#pragma omp single
    {
      singles++;
      value = 17;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = value + i;
#pragma omp master
    masters++;
#pragma omp masked
    masked++;
#pragma omp barrier
#pragma omp single copyprivate(mine)
    mine = (int)(a[3] * 2);
#pragma omp for reduction(+ : seen) nowait
    for (int i = 0; i < n; ++i) seen += mine;
#pragma omp single nowait
    singles++;
  }
  printf("once %d %d %d %ld %ld\n", singles, masters, masked, seen, sum(a));
}

static void iterated(void) {
  int done = 0, rounds = 0;
  double x[64], y[64], change = 0;
  for (int i = 0; i < 64; ++i) x[i] = i == 0 ? 64 : 0;
#pragma omp parallel
  {
    while (!done) {
#pragma omp for
      for (int i = 0; i < 64; ++i) y[i] = (x[i] + x[(i + 1) % 64] + x[(i + 63) % 64]) / 3;
#pragma omp single
      change = 0;
#pragma omp for reduction(max : change)
      for (int i = 0; i < 64; ++i) {
        double d = y[i] > x[i] ? y[i] - x[i] : x[i] - y[i];
        if (d > change) change = d;
        x[i] = y[i];
      }
#pragma omp single
      {
        ++rounds;
        done = change < 1e-3 || rounds > 500;
      }
    }
  }
  printf("iterated %d %.12g\n", rounds, x[10]);
  // A counted loop around loops, whose counter is private to the region.
#pragma omp parallel
  {
    for (int step = 1; step < 20; ++step) {
#pragma omp for schedule(static, 5)
      for (int i = 0; i < n; ++i) b[i] = a[(i + step) % n] + step;
#pragma omp for
      for (int i = 0; i < n; ++i) a[i] = b[n - 1 - i];
    }
  }
  printf("counted %ld\n", sum(a));
}

static void private_variables(void) {
  int j, k;
  long scratch, total = 0;
  long row[16];
#pragma omp parallel private(j, k, scratch, row)
  {
#pragma omp for reduction(+ : total)
    for (int i = 0; i < n; ++i) {
      scratch = 0;
      for (j = 0; j < 5; ++j) {
        for (k = j; k < 5; ++k) scratch += i * j + k;
      }
      total += scratch;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      for (k = 0; k < 16; ++k) row[k] = i + k;
      a[i] = 0;
      for (k = 0; k < 16; ++k) a[i] += row[k];
    }
#pragma omp for
    for (j = 0; j < n; ++j) {
      scratch = a[j] * 2;
      b[j] = scratch;
    }
  }
  printf("private %ld %ld %ld\n", total, sum(a), sum(b));
  // What a thread had in its own variable before the loop is read, not written.
#pragma omp parallel firstprivate(total)
  {
    long twice = total * 2;
    long table[8];
    for (int t = 0; t < 8; ++t) table[t] = twice + t;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = table[i % 8];
#pragma omp for
    for (int i = 0; i < n; ++i) b[i] = table[i % 8] + a[i];
  }
  printf("read %ld %ld\n", sum(a), sum(b));
  // Room of its own for each thread, used by one loop.
#pragma omp parallel
  {
    long room[8], walk[4];
    for (int t = 0; t < 8; ++t) room[t] = t;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      room[i % 8] += i;
      a[i] = room[i % 8] - i;
      room[i % 8] -= i;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      long *p = walk;
      for (int t = 0; t < 4; ++t) *p++ = i + t;
      b[i] = walk[i % 4] + a[i];
    }
  }
  printf("room %ld %ld\n", sum(a), sum(b));
  int first = 7;
  double weights[4] = {1, 2, 3, 4};
#pragma omp parallel
  {
#pragma omp for firstprivate(first, weights)
    for (int i = 0; i < n; ++i) a[i] = (long)(first + weights[i % 4]);
#pragma omp for firstprivate(first) schedule(dynamic)
    for (int i = 0; i < n; ++i) b[i] = first * i;
  }
  printf("firstprivate %ld %ld\n", sum(a), sum(b));
}

static void critical(void) {
  long count = 0, named = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    count += i;
#pragma omp critical(name)
    {
      named++;
#pragma omp critical(other)
      named++;
    }
  }
  printf("critical %ld %ld\n", count, named);
  count = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 5)
    for (int i = 0; i < n; ++i) {
      if (i % 3) continue;
#pragma omp critical
      count += i;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
#pragma omp parallel for
      for (int k = 0; k < 3; ++k) {
#pragma omp critical
        count += k;
      }
    }
#pragma omp single
    {
#pragma omp critical
      count *= 2;
    }
  }
  printf("critical in a region %ld\n", count);
}

static void deeper(long *out, int rows) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < rows; ++i) out[i] = 2 * i;
#pragma omp for
    for (int i = 0; i < rows / 2; ++i) out[rows / 2 + i] += out[i] % 4;
  }
}

static void nested(void) {
  static long table[30][50];
#pragma omp parallel for
  for (int i = 0; i < 30; ++i) deeper(table[i], 50);
  long total = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel
      {
#pragma omp for
        for (int k = 0; k < 50; ++k) table[i][k] += k;
#pragma omp single
        table[i][0] = i;
      }
    }
#pragma omp for reduction(+ : total) collapse(2)
    for (int i = 0; i < 30; ++i) {
      for (int k = 0; k < 50; ++k) total += table[i][k] * (k + 1);
    }
#pragma omp single
    {
#pragma omp parallel for reduction(+ : total)
      for (int i = 0; i < 30; ++i) total += i;
    }
  }
  printf("nested %ld\n", total);
}

static void serial(int choice) {
  int order = 0;
#pragma omp parallel if (choice > 100)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = order++;
#pragma omp for
    for (int i = 1; i < n; ++i) b[i] = a[i - 1] + order++;
  }
  printf("if %d %ld %ld\n", order, sum(a), sum(b));
#pragma omp parallel num_threads(choice)
  {
#pragma omp for schedule(dynamic)
    for (int i = 1; i < n; ++i) a[i] = a[i - 1] * 3 % 1001;
#pragma omp single
    order = 5;
#pragma omp for
    for (int i = 1; i < n; ++i) b[i] = b[i - 1] + order;
  }
  printf("one thread %ld %ld\n", sum(a), sum(b));
#pragma omp parallel if (choice == 1) num_threads(4)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for
    for (int i = 1; i < n; ++i) b[i] = a[i - 1] + order;
  }
  printf("four threads %ld %ld\n", sum(a), sum(b));
}

static void one_loop(int m) {
  long s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp for
    for (int i = 0; i < m; ++i) s += i;
  }
  printf("a barrier after it %ld\n", s);
#pragma omp parallel
  {
    long before = a[0];
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = before + i;
  }
  printf("a barrier before it %ld\n", sum(a));
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < m - m; ++i) a[i] = 77;
#pragma omp for simd
    for (int i = 0; i < m; ++i) a[i] += 1;
#pragma omp for simd lastprivate(s) schedule(simd : static, 4)
    for (int i = 0; i < m; ++i) s = a[i];
  }
  printf("simd %ld %ld\n", s, sum(a));
}

int main(void) {
  loops(9);
  sections();
  once();
  iterated();
  private_variables();
  critical();
  nested();
  serial(1);
  one_loop(n);
  return 0;
}
