/* Several loops without a barrier between, before each thread hands over what it has from all of them. */
#include "cases.h"

#include <stdlib.h>

static long total;

CASE(two) {
  total = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i) mine ^= i, v[i]++;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i) mine ^= 3 * i;
#pragma omp atomic
    total ^= mine;
  }
  return taken() + total;
}
CASE(three) {
  total = 0;
#pragma omp parallel
  {
    long mine = 0, most = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i;
    most = mine * 0;
#pragma omp for nowait schedule(guided)
    for (int i = 10; i < 3 * n; i += 7) mine += i, most = most > i ? most : i;
#pragma omp for nowait schedule(dynamic, 13)
    for (long i = 100; i > -50; --i) mine -= i;
#pragma omp critical
    {
      total += mine;
      if (most > v[0]) v[0] = most;
    }
  }
  return taken() + total;
}
/* A chunk stays on one thread, in each loop. */
CASE(in_chunks) {
#pragma omp parallel
  {
    int *list = malloc(2 * n * sizeof(int)), used = 0, before = 0;
#pragma omp for nowait schedule(dynamic, 7)
    for (int i = 0; i < n - 3; ++i) {
      before = i % 7 == 0 ? i : before + 1;
      list[used++] = before;
    }
#pragma omp for nowait schedule(dynamic, 10)
    for (int i = 0; i < n; ++i) {
      before = i % 10 == 0 ? i : before + 1;
      list[used++] = before;
    }
#pragma omp critical
    for (int k = 0; k < used; ++k) v[list[k]]++;
    free(list);
  }
  return taken();
}
static long of_counts(int first, int second, int third) {
  total = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < first; ++i) mine += i + 1;
#pragma omp for nowait schedule(dynamic, 3)
    for (int i = 0; i < second; ++i) mine += 5 * i + 1;
#pragma omp for nowait schedule(guided)
    for (int i = 0; i < third; ++i) mine += 7 * i + 1;
#pragma omp atomic
    total += mine;
  }
  return total;
}
CASE(without_iterations) {
  return of_counts(0, 10, 0) + 3 * of_counts(10, 0, 0) + 5 * of_counts(0, 0, 10) + 7 * of_counts(0, 0, 0) +
         11 * of_counts(10, 0, 10);
}
/* Short ones and long ones, at one site. */
CASE(again_and_again) {
  long all = 0;
  for (int t = 0; t < 60; ++t) {
    const int most = t % 9 == 8 ? 100 * n : 3;
    all += of_counts(t % 2 == 0 ? most : 2, t % 3 == 0 ? most : 2, t % 5 == 0 ? most : 2) % 1000003;
  }
  return all;
}
CASE(one_thread) {
  total = 0;
#pragma omp parallel num_threads(1)
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine = mine * 3 % 1009 + i;
#pragma omp for nowait schedule(dynamic, 4)
    for (int i = 0; i < n; ++i) mine = mine * 5 % 1009 + i;
#pragma omp for nowait schedule(guided)
    for (int i = 0; i < n; ++i) mine = mine * 7 % 1009 + i;
#pragma omp atomic
    total += mine;
  }
  return total;
}
CASE(serial_if) {
  total = 0;
  for (int t = 0; t < 2; ++t) {
#pragma omp parallel if (t == 1)
    {
      long mine = 0;
#pragma omp for nowait schedule(dynamic, 4)
      for (int i = 0; i < n; ++i) mine ^= t + i;
#pragma omp for nowait
      for (int i = 0; i < n; ++i) mine ^= t + 2 * i;
#pragma omp critical
      total ^= mine;
    }
  }
  return total;
}
CASE(in_iterations) {
#pragma omp parallel for
  for (int o = 0; o < 20; ++o) {
#pragma omp parallel
    {
      long mine = 0;
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < 30 * o; ++i) mine += i;
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < 200 - 10 * o; ++i) mine += i;
#pragma omp atomic
      v[o] += mine;
    }
  }
  return taken();
}
CASE(with_regions_inside) {
  total = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel for
      for (int k = 0; k < 100; ++k) v[30 * (k % 30) + i] += k;
      mine ^= i;
    }
#pragma omp for nowait schedule(dynamic, 2)
    for (int i = 0; i < 30; ++i) {
      long sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int k = 0; k < 100; ++k) sum += k * i;
      mine ^= sum;
    }
#pragma omp critical
    total ^= mine;
  }
  return taken() + total;
}
/* Of two static loops each thread has the same iterations, and may count on that. */
CASE(the_same_iterations) {
  total = 0;
#pragma omp parallel
  {
    int *mine = calloc(n, sizeof(int));
    long sum = 0;
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; ++i) mine[i] = i + 1;
#pragma omp for nowait schedule(static)
    for (int i = 0; i < n; ++i) sum += mine[i];
#pragma omp critical
    total += sum;
    free(mine);
  }
  return total;
}
CASE(summed) {
  total = 0;
  long sum = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i) mine ^= i;
#pragma omp for nowait schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += i, mine ^= 5 * i;
#pragma omp atomic
    total ^= mine;
  }
  return total + sum;
}
CASE(parted_by_a_barrier) {
  total = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i) mine += v[i] = i;
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i) mine += v[n - 1 - i];
#pragma omp atomic
    total += mine;
  }
  return taken() + total;
}
CASE(comes_again) {
  total = 0;
#pragma omp parallel
  {
    long mine = 0;
    for (int t = 0; t < 3; ++t) {
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < n; ++i) mine ^= i * (t + 1);
#pragma omp for nowait schedule(dynamic)
      for (int i = 0; i < n; ++i) mine ^= i * (t + 3);
    }
#pragma omp atomic
    total ^= mine;
  }
  return total;
}

int main(void) {
  RUN(two);
  RUN(three);
  RUN(in_chunks);
  RUN(without_iterations);
  RUN(again_and_again);
  RUN(one_thread);
  RUN(serial_if);
  RUN(in_iterations);
  RUN(with_regions_inside);
  RUN(the_same_iterations);
  RUN(summed);
  RUN(parted_by_a_barrier);
  RUN(comes_again);
  return 0;
}
// converted: 11 loops, 0 regions, 4 left
