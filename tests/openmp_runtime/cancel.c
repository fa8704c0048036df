/* Cancellation of all four constructs; teams on the host; target regions. OMP_CANCELLATION is true. */
#include <omp.h>

#include "check.h"

static void regions(int n) {
  for (int round = 0; round < 20; ++round) {
    int after = 0;
#pragma omp parallel
    {
      if (omp_get_thread_num() == n - 1) {
#pragma omp cancel parallel
      }
#pragma omp barrier
#pragma omp cancellation point parallel
#pragma omp atomic
      ++after;
    }
    CHECK(after == 0);
  }
}

static void loops(void) {
  for (int round = 0; round < 20; ++round) {
    int count = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100000; ++i) {
#pragma omp cancellation point for
#pragma omp atomic
        ++count;
        if (i == 10) {
#pragma omp cancel for
        }
      }
#pragma omp barrier
    }
    CHECK(count < 100000);
    /* The next one is not. */
    int all = 0;
#pragma omp parallel for reduction(+ : all)
    for (int i = 0; i < 100; ++i) {
      all += 1;
#pragma omp cancellation point for
    }
    CHECK(all == 100);
  }
}

static void groups(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(done)
      {
#pragma omp cancel taskgroup
        done = 1000000;
      }
#pragma omp taskwait
      for (int i = 0; i < 10; ++i) {
#pragma omp task shared(done)
        {
#pragma omp atomic
          ++done;
        }
      }
    }
  }
  CHECK(done == 0);
}

static void teams(void) {
  int seen[4] = {0, 0, 0, 0};
#pragma omp teams num_teams(4) thread_limit(2)
  {
    CHECK(omp_get_num_teams() <= 4 && omp_get_team_num() < omp_get_num_teams());
#pragma omp parallel num_threads(2)
    {
#pragma omp master
      seen[omp_get_team_num()]++;
    }
  }
  CHECK(seen[0] == 1);
  static int hits[1000];
#pragma omp teams distribute parallel for num_teams(3) dist_schedule(static) schedule(static, 5)
  for (int i = 0; i < 1000; ++i) {
#pragma omp atomic
    hits[i]++;
  }
  for (int i = 0; i < 1000; ++i) CHECK(hits[i] == 1);
  int sum = 0;
#pragma omp target map(tofrom : sum)
  {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
  }
  CHECK(sum == 4950);
}

int main(void) {
  int n = omp_get_max_threads();
  CHECK(omp_get_cancellation());
  regions(n);
  loops();
  groups();
  teams();
  puts("right");
  return 0;
}
