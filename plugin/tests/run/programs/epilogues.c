// What each thread does behind its loop with what its iterations have left. Regions that count threads stay.
#include "cases.h"

#include <stdlib.h>

static int list[n], filled;

static int by_value(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
/* What came in any order. */
static long listed(void) {
  qsort(list, (size_t)filled, sizeof *list, by_value);
  long mixed = filled;
  for (int i = 0; i < filled; ++i) mixed = (mixed * 31 + list[i]) % 1000003;
  filled = 0;
  return mixed;
}

CASE(gathered) {
#pragma omp parallel
  {
    int mine[n], count = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 3 != 0) mine[count++] = i;
#pragma omp critical
    for (int k = 0; k < count; ++k) list[filled++] = mine[k];
  }
  return listed();
}
/* A place for all of them at once, then a copy. */
static void flush(const int *mine, int count) {
  int at;
#pragma omp atomic capture
  {
    at = filled;
    filled += count;
  }
  for (int k = 0; k < count; ++k) list[at + k] = mine[k];
}
CASE(gathered_without_a_lock) {
#pragma omp parallel
  {
    int mine[n], count = 0;
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < n; ++i)
      if (i % 3 != 1) mine[count++] = i * 2;
    flush(mine, count);
  }
  return listed();
}
/* Full in the middle of the loop. */
CASE(gathered_in_parts) {
#pragma omp parallel
  {
    int mine[4], count = 0;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < n; ++i) {
      if (count == 4) flush(mine, count), count = 0;
      mine[count++] = i * 3;
    }
    flush(mine, count);
  }
  return listed();
}
CASE(most) {
  int best = -1, where = -1;
#pragma omp parallel
  {
    int mine = -1, at = -1;
#pragma omp for nowait schedule(static, 5)
    for (int i = 0; i < n; ++i)
      if (i * 7919 % 1009 > mine) mine = i * 7919 % 1009, at = i;
#pragma omp critical(most)
    if (mine > best) best = mine, where = at;
  }
  return best * 1000L + where;
}
/* Nobody can tell whether there was a barrier. */
CASE(most_behind_a_barrier) {
  int best = -1, where = -1;
#pragma omp parallel
  {
    int mine = -1, at = -1;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (i * 6007 % 1013 > mine) mine = i * 6007 % 1013, at = i;
#pragma omp critical(most)
    if (mine > best) best = mine, where = at;
  }
  return best * 1000L + where;
}
CASE(begins_with_the_last) {
  int best = 40;
#pragma omp parallel firstprivate(best)
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (v[n] + i % 50 > best) best = i % 50;
#pragma omp critical(most)
    if (v[0] < best) v[0] = best;
  }
  return taken();
}
CASE(counted) {
#pragma omp parallel
  {
    long counts[16] = {0};
#pragma omp for nowait
    for (int i = 0; i < n; ++i) counts[i * i % 16] += i;
    for (int k = 0; k < 16; ++k) {
#pragma omp atomic
      v[k] += counts[k];
    }
  }
  return taken();
}
CASE(counted_and_summed) {
  long sum = 0;
#pragma omp parallel
  {
    long odd = 0;
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < n; ++i) {
      sum += i;
      if (i % 2 != 0) odd ^= i;
    }
#pragma omp atomic
    v[3] ^= odd;
  }
  return taken() + sum;
}
CASE(last_of_all) {
  int last = 0;
#pragma omp parallel
  {
    int count = 0;
#pragma omp for lastprivate(last) nowait
    for (int i = 0; i < n; ++i) last = i * 3, ++count;
#pragma omp atomic
    v[1] += count;
  }
  return taken() + last;
}
CASE(found) {
  int any = 0, none = 0;
#pragma omp parallel
  {
    int seen = 0, not_seen = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      if (i == n / 2) seen = 1;
      if (i == n * 2) not_seen = 1;
    }
    if (seen) {
#pragma omp atomic write
      any = 1;
    }
    if (not_seen) {
#pragma omp atomic write
      none = 1;
    }
  }
  return any * 2 + none;
}
/* Once at least, and as often as you like. */
CASE(without_iterations) {
  int least = 1000;
#pragma omp parallel
  {
    int mine = 77;
#pragma omp for nowait
    for (int i = 0; i < v[n]; ++i) mine += i;
#pragma omp critical(most)
    if (mine < least) least = mine;
  }
  return least;
}
CASE(one_thread) {
  for (int turn = 0; turn < 3; ++turn) {
#pragma omp parallel if (turn == 1) num_threads(turn + 1)
    {
      long mine = 0;
#pragma omp for nowait
      for (int i = 0; i < n; ++i) mine |= i * (turn + 1);
#pragma omp atomic
      v[turn] |= mine;
    }
  }
  return taken();
}
CASE(in_iterations) {
#pragma omp parallel for
  for (int j = 0; j < 12; ++j) {
#pragma omp parallel
    {
      long mine = 0;
#pragma omp for nowait
      for (int i = 0; i < n; ++i) mine += i % (j + 1);
#pragma omp critical(rows)
      v[j] += mine;
    }
  }
  return taken();
}
static void row(int j) {
#pragma omp parallel
  {
    long most = -1;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i * j % 31 > most) most = i * j % 31;
#pragma omp critical(rows)
    if (most > v[j]) v[j] = most;
  }
}
CASE(in_functions) {
#pragma omp parallel for schedule(dynamic)
  for (int j = 0; j < 12; ++j) row(j);
  return taken();
}
/* A lock that threads of a region that stays take, too. */
CASE(counts_threads) {
  int threads = 0, most = 0;
#pragma omp parallel
  {
    int mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (i % 97 > mine) mine = i % 97;
#pragma omp critical(most)
    {
      threads++;
      if (mine > most) most = mine;
    }
  }
  return most * 2 + (threads > 0);
}
CASE(counts_threads_behind) {
  int threads = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += i;
    if (mine > 0) {
#pragma omp atomic
      v[2] += mine;
    }
#pragma omp atomic
    threads++;
  }
  return taken() + (threads > 0);
}
/* It reads what an iteration of another thread wrote. */
CASE(needs_its_barrier) {
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i + 1, mine ^= i;
#pragma omp critical(most)
    if (mine < 0 || v[n - 1] == n) v[n - 1] = n + (mine & 0);
  }
  return taken();
}
/* Each turn has the whole loop. */
CASE(comes_again) {
#pragma omp parallel
  for (int turn = 1; turn < 4; ++turn) {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) v[i] += turn * i;
  }
  return taken();
}
CASE(comes_again_with_effects) {
#pragma omp parallel
  for (int turn = 1; turn < 4; ++turn) {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += turn * i;
#pragma omp critical(most)
    if (mine != 0) v[turn] ^= 0 * mine;
  }
  return taken();
}
CASE(two_loops) {
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine ^= i;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine ^= 3 * i;
#pragma omp atomic
    v[0] ^= mine;
  }
  return taken();
}

int main(void) {
  RUN(gathered);
  RUN(gathered_without_a_lock);
  RUN(gathered_in_parts);
  RUN(most);
  RUN(most_behind_a_barrier);
  RUN(begins_with_the_last);
  RUN(counted);
  RUN(counted_and_summed);
  RUN(last_of_all);
  RUN(found);
  RUN(without_iterations);
  RUN(one_thread);
  RUN(in_iterations);
  RUN(in_functions);
  RUN(counts_threads);
  RUN(counts_threads_behind);
  RUN(needs_its_barrier);
  RUN(comes_again);
  RUN(comes_again_with_effects);
  RUN(two_loops);
  return 0;
}
// converted: 16 loops, 2 regions, 6 left
