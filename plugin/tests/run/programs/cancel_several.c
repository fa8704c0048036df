// Regions with several constructs that can be cancelled, loops that come again, and regions that are cancelled: first
// without cancellation, then with it. What is counted are properties that hold with it, too.
#include "cases.h"
#include "cancellation.h"

#define ADD(variable) _Pragma("omp atomic") variable++

// Each is cancelled by itself, also where the one before was.
CASE(one_after_another) {
  int begun[3] = {0, 0, 0}, behind = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
      begun[0]++;
#pragma omp cancel for if (i % 2 == 0)
#pragma omp atomic
      behind += i % 2 == 0;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
      begun[1]++;
    }
#pragma omp for schedule(static, 4)
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
      begun[2]++;
#pragma omp cancel for
#pragma omp atomic
      behind++;
    }
  }
  const int on = omp_get_cancellation();
  return (on ? begun[0] >= 1 && begun[0] <= n : begun[0] == n) + 2 * (begun[1] == n) +
         4 * (on ? begun[2] >= 1 && begun[2] <= 64 : begun[2] == n) + 8 * (on ? behind == 0 : behind == n + n / 2);
}

// The one that comes again begins as if it had not been cancelled.
CASE(comes_again) {
  int begun = 0, turns = 0;
#pragma omp parallel
  for (int turn = 0; turn < 20; ++turn) {
#pragma omp for
    for (int i = 0; i < n; ++i) {
#pragma omp atomic
      begun++;
#pragma omp cancel for if (turn % 2 == 0)
    }
#pragma omp single
    turns++;
  }
  return turns + 100 * (omp_get_cancellation() ? begun >= 10 * n + 10 && begun <= 10 * n + 640 : begun == 20 * n);
}

CASE(sections_beside_a_loop) {
  int ran = 0, behind = 0, sum = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
        ADD(ran);
#pragma omp cancel sections
        ADD(behind);
      }
#pragma omp section
      {
        ADD(ran);
#pragma omp cancellation point sections
#pragma omp cancel sections
        ADD(behind);
      }
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += i;
  }
  const int on = omp_get_cancellation();
  return (sum == n * (n - 1) / 2) + 2 * (on ? ran >= 1 && behind == 0 : ran == 2 && behind == 2);
}

static int by_region(int limit) {
  int first = 0, second = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) {
      ADD(first);
    }
    if (first > limit) {
#pragma omp cancel parallel
    }
#pragma omp cancellation point parallel
#pragma omp for
    for (int i = 0; i < n; ++i) {
      ADD(second);
    }
  }
  return first == n ? second : -1;
}
CASE(whole_region) {
  const int on = omp_get_cancellation();
  return (by_region(n) == n) + 2 * (by_region(0) == (on ? 0 : n));
}

// Partial sums stay within the whole, and what is behind a cancelled loop runs.
CASE(reductions) {
  long sum = 0, most = 0;
  int last = -1, behind = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) reduction(max : most) lastprivate(last)
    for (int i = 0; i < n; ++i) {
      sum += i;
      most = i > most ? i : most;
      last = i;
#pragma omp cancel for if (i == 300)
    }
#pragma omp single
    behind = 1;
  }
  const int on = omp_get_cancellation();
  const long all = (long)n * (n - 1) / 2;
  return (on ? sum >= 300 && sum <= all : sum == all) + 2 * (on ? most >= 300 : most == n - 1) +
         4 * (on || last == n - 1) + 8 * behind;
}

// Slices that claim from one pool end with it, and give back what they have made.
CASE(a_buffer_for_each_thread) {
  int begun = 0, behind = 0;
#pragma omp parallel
  {
    long *buffer = malloc(1000 * sizeof(long));
    for (int k = 0; k < 1000; ++k) buffer[k] = k;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      buffer[i % 1000] += i;
#pragma omp atomic
      begun++;
#pragma omp cancel for if (buffer[999] != 0)
#pragma omp atomic
      behind++;
    }
    free(buffer);
  }
  const int on = omp_get_cancellation();
  return (on ? begun >= 1 && begun <= 64 : begun == n) + 2 * (behind == (on ? 0 : n));
}

int main(int argc, char **argv) {
  RUN(one_after_another);
  RUN(comes_again);
  RUN(sections_beside_a_loop);
  RUN(whole_region);
  RUN(reductions);
  RUN(a_buffer_for_each_thread);
  return again_with_cancellation(argc, argv);
}
// converted: 10 loops, 5 regions, 0 left
