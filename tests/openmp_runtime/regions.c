/* Regions: their members, barriers, critical sections, single and masked constructs, reductions, nested regions. */
#include <omp.h>
#include <string.h>

#include "check.h"

enum { k_most = 64 };

static void members(int n) {
  int seen[k_most] = {0};
  int sum = 0, max = -1;
#pragma omp parallel reduction(+ : sum) reduction(max : max)
  {
    int me = omp_get_thread_num();
    CHECK(omp_get_num_threads() == n);
    CHECK(omp_get_level() == 1 && omp_in_parallel() == (n > 1));
    CHECK(omp_get_ancestor_thread_num(1) == me && omp_get_ancestor_thread_num(0) == 0);
    CHECK(omp_get_team_size(1) == n && omp_get_team_size(2) == -1);
#pragma omp atomic
    seen[me]++;
    sum += me;
    max = me;
  }
  for (int i = 0; i < n; ++i) CHECK(seen[i] == 1);
  CHECK(sum == n * (n - 1) / 2 && max == n - 1);
  CHECK(omp_get_level() == 0 && !omp_in_parallel() && omp_get_num_threads() == 1);
}

static void barriers(int n) {
  static int at[k_most];
  memset(at, 0, sizeof at);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    for (int round = 1; round <= 40; ++round) {
      at[me] = round;
#pragma omp barrier
      for (int i = 0; i < n; ++i) CHECK(at[i] == round);
#pragma omp barrier
    }
  }
}

static void constructs(int n) {
  int counted = 0, singles = 0, masters = 0, named = 0;
  int from_one = 0;
#pragma omp parallel
  {
    int mine = 0;
    for (int i = 0; i < 100; ++i) {
#pragma omp critical
      ++counted;
#pragma omp critical(a_name)
      ++named;
#pragma omp single nowait
      {
#pragma omp atomic
        ++singles;
      }
    }
#pragma omp master
    ++masters;
#pragma omp single copyprivate(mine)
    mine = 42 + omp_get_thread_num();
    CHECK(mine >= 42 && mine < 42 + n);
#pragma omp atomic
    from_one += mine;
    /* Arrays, and one after the other. */
    double field[3] = {0, 0, 0};
    for (int i = 0; i < 20; ++i) {
#pragma omp single copyprivate(field)
      field[1] = i;
      CHECK(field[1] == i);
    }
  }
  CHECK(counted == 100 * n && named == 100 * n && singles == 100 && masters == 1);
  CHECK(from_one % n == 0);
}

static void sizes(void) {
#pragma omp parallel num_threads(3)
  {
    CHECK(omp_get_num_threads() == 3);
  }
#pragma omp parallel if (omp_get_level() > 0)
  {
    CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1 && omp_get_active_level() == 0);
  }
  int before = omp_get_max_threads();
  omp_set_num_threads(5);
  CHECK(omp_get_max_threads() == 5);
#pragma omp parallel
  {
    CHECK(omp_get_num_threads() == 5);
  }
  omp_set_num_threads(before);
}

static void nested(int n) {
#pragma omp parallel
  {
#pragma omp parallel num_threads(4)
    CHECK(omp_get_num_threads() == (n > 1 ? 1 : 4) && omp_get_level() == 2);
  }
  omp_set_max_active_levels(3);
  int leaves = 0;
#pragma omp parallel
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
    {
      CHECK(omp_get_num_threads() == 3 && omp_get_level() == 2);
      CHECK(omp_get_ancestor_thread_num(1) == outer);
      for (int i = 0; i < 20; ++i) {
#pragma omp barrier
      }
      int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
      mine += 1;
#pragma omp atomic
      leaves += mine;
    }
  }
  CHECK(leaves == n * 3 * 2);
  omp_set_max_active_levels(1);
}

/* One after the other: of the same members, of others, at once, and after serial code that is longer than they wait. */
static void again(int n) {
  for (int i = 0; i < 2000; ++i) {
    const int size = i % 50 == 0 ? n / 2 + 1 : n;
    int sum = 0, singles = 0;
    omp_set_schedule(omp_sched_dynamic, i % 9 + 1);
#pragma omp parallel num_threads(size) reduction(+ : sum)
    {
      omp_sched_t kind;
      int chunk;
      omp_get_schedule(&kind, &chunk);
      CHECK(kind == omp_sched_dynamic && chunk == i % 9 + 1);
      for (int k = 0; k < i % 4; ++k) {
#pragma omp single nowait
        {
#pragma omp atomic
          ++singles;
        }
      }
#pragma omp for schedule(runtime) nowait
      for (int k = 0; k < 20; ++k) sum += k;
    }
    CHECK(sum == 190 && singles == i % 4);
    if (i % 500 == 499) {
      for (volatile int k = 0; k < 200000; ++k) {
      }
    }
  }
}

static void affinity(void) {
  char text[64];
  omp_set_affinity_format("%n of %N");
  CHECK(omp_get_affinity_format(text, 3) == 8 && strcmp(text, "%n") == 0);
  CHECK(omp_capture_affinity(text, sizeof text, NULL) == 6 && strcmp(text, "0 of 1") == 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    char inside[64], wanted[64];
    sprintf(wanted, "%03d|  1|2  |%%0000!undefined", omp_get_thread_num());
    omp_capture_affinity(inside, sizeof inside, "%0.3n|%.3L|%3{num_threads}|%%%0.4{ancestor_tnum}!%{thread}");
    CHECK(strncmp(inside, wanted, strlen(wanted)) == 0);
  }
  CHECK(omp_capture_affinity(text, sizeof text, "%0.4a") == 4 && strcmp(text, "-001") == 0);
}

int main(void) {
  int n = omp_get_max_threads();
  CHECK(n <= k_most);
  for (int i = 0; i < 10; ++i) members(n);
  barriers(n);
  constructs(n);
  sizes();
  nested(n);
  affinity();
  again(n);
  members(n);
  puts("right");
  return 0;
}
