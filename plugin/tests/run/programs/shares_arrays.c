// Arrays that each thread's iterations count into, added up in a critical section.
#include "cases.h"

enum { many = 8 };
static int key_of(int i) { return (i * 7 + i / 9) % many; }

CASE(counts) {
  long total[many] = {3, 4};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine[key_of(i)]++;
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
/* The shape of k-means: sums of points, and how many there are. */
typedef struct { double sum[3]; int count; } cluster;
static void move(cluster *to, const double (*points)[3], int from, int by) {
#pragma omp parallel
  {
    double sum[many][3];
    int count[many];
    long moved = 0;
    for (int k = 0; k < many; ++k) {
      count[k] = 0;
      for (int d = 0; d < 3; ++d) sum[k][d] = 0;
    }
#pragma omp for schedule(dynamic, 7)
    for (int i = from; i < n; i += by) {
      const int k = key_of(i);
      for (int d = 0; d < 3; ++d) sum[k][d] += points[i][d];
      count[k] += 1;
      moved += k;
    }
#pragma omp for schedule(static, 4)
    for (int i = from; i < n; i += by) count[key_of(i + 1)] -= i % 2;
#pragma omp critical(clusters)
    {
      for (int k = 0; k < many; ++k) {
        for (int d = 0; d < 3; ++d) to[k].sum[d] += sum[k][d];
        to[k].count += count[k];
      }
      v[n] += moved;
    }
#pragma omp barrier
#pragma omp for
    for (int k = 0; k < many; ++k) v[k] += (long)(to[k].sum[0] + to[k].sum[1] * 2 + to[k].sum[2] * 3) + to[k].count;
  }
}
CASE(clusters) {
  static double points[n][3];
  cluster all[many] = {{{1, 2, 3}, 4}};
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) points[i][d] = i * d % 11;
  move(all, points, 0, 1);
  move(all, points, 3, 2);
  return taken();
}
CASE(in_turns) {
  unsigned total[many] = {-250u};
  float whole[many] = {0};
#pragma omp parallel
  {
    for (int turn = 0; turn < 3; ++turn) {
      unsigned mine[many] = {0};
      float more[many] = {0};
#pragma omp for
      for (int i = 0; i < n; ++i) {
        mine[key_of(i)] += i * turn;
        more[i % many] -= i % 3;
      }
#pragma omp critical
      {
        int k = 0;
        while (k < many) {
          total[k] += mine[k];
          whole[k] += more[k];
          ++k;
        }
      }
    }
  }
  for (int k = 0; k < many; ++k) v[k] = total[k] * 1000 + (long)whole[k];
  return taken();
}
static void part(long *to, int by) {
  long mine[many] = {0};
#pragma omp for nowait
  for (int i = 0; i < n; ++i) mine[i * by % many] += i % by;
#pragma omp critical
  for (int k = many - 1; k >= 0; --k) to[k] += mine[k];
}
CASE(in_a_function) {
  long total[many] = {0};
#pragma omp parallel
  {
    part(total, 3);
    part(total, 7);
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
/* Some of it, some twice. */
CASE(not_all) {
  long total[many] = {0};
#pragma omp parallel num_threads(2) if (v[0] == 0)
  {
    long mine[2][many] = {{0}};
#pragma omp for
    for (int i = 0; i < n; ++i) {
      mine[i % 2][key_of(i)] += i;
      mine[1][0]++;
    }
#pragma omp critical
    {
      total[1] += mine[0][5];
      for (int k = 3; k < many; k += 2) total[k - 1] += mine[1][k];
      total[2] += mine[0][5];
      for (int k = 0; k < many; ++k) total[0] += mine[1][k];
    }
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(long_ones) {
  static int total[1000];
#pragma omp parallel
  {
    int mine[1000] = {0};
#pragma omp for schedule(guided)
    for (int i = 0; i < n; ++i) {
      mine[i * 13 % 1000]++;
      mine[i % 10] += 2;
    }
#pragma omp critical
    for (int k = 0; k < 1000; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < 1000; ++k) v[k] = total[k];
  return taken();
}
/* Clang says of dynamic schedules that no iteration touches what another one does, and LLVM 19 would vectorise this. */
CASE(the_same_element) {
  long few = 1;
#pragma omp parallel if (few > 5)
  {
    unsigned long mine[6];
    for (int k = 0; k < 6; ++k) mine[k] = 0;
#pragma omp for schedule(dynamic, 4)
    for (int i = -3; i <= 34 - 4; i += 3) {
      mine[(35 + i * 3ul + i * 7ul) % 6] += 25 + i * 1ul + i * 2ul;
      if ((25 + i * 1ul + i * 2ul) % 3 == 0) mine[2] -= i;
    }
#pragma omp critical
    for (int k = 5; k >= 0; --k) v[14 + k] += mine[k];
  }
  return taken();
}

/* These are more than sums of shares. */
CASE(not_zero) {
  long total[many] = {0};
#pragma omp parallel num_threads(1)
  {
    long mine[many] = {1};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key_of(i)]++;
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(not_all_of_it_is_set) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine[many];
    for (int k = 0; k < many - 1; ++k) mine[k] = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine[i % (many - 1)]++;
#pragma omp critical
    for (int k = 0; k < many - 1; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(sums_of_it) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key_of(i)]++;
    for (int k = 0; k + 1 < many; ++k) mine[k + 1] += mine[k];
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(read_in_the_loop) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (mine[key_of(i)] < 5000) mine[key_of(i)]++;
    }
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(looked_at_in_the_section) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key_of(i)] += 2;
#pragma omp critical
    for (int k = 0; k < many; ++k) {
      if (mine[k] != 0) total[k] += mine[k];
    }
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(says_where) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine += i * 3;
#pragma omp critical
    total[mine % 3] += mine;
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(as_many_as_the_sum_says) {
  long total[many] = {many};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[1 + i % (many - 1)]++;
#pragma omp critical
    for (int k = 0; k < total[0]; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(added_by_one) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key_of(i)]++;
#pragma omp single
    mine[3] += 2;
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}
CASE(the_most) {
  long total[many] = {0};
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (mine[key_of(i)] < i) mine[key_of(i)] = i;
    }
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] = total[k] < mine[k] ? mine[k] : total[k];
  }
  for (int k = 0; k < many; ++k) v[k] = total[k];
  return taken();
}

int main(void) {
  RUN(counts);
  RUN(clusters);
  RUN(in_turns);
  RUN(in_a_function);
  RUN(not_all);
  RUN(long_ones);
  RUN(the_same_element);
  RUN(not_zero);
  RUN(not_all_of_it_is_set);
  RUN(sums_of_it);
  RUN(read_in_the_loop);
  RUN(looked_at_in_the_section);
  RUN(says_where);
  RUN(as_many_as_the_sum_says);
  RUN(added_by_one);
  RUN(the_most);
}
// converted: 18 loops, 7 regions, 1 left
