// Ways to place n queens: a task for each place that is possible, with a board of its own.
#include <string.h>

#include "program.h"

enum { most = 16 };

static int fits(int row, const signed char* board, int column) {
  for (int i = 0; i < row; ++i) {
    int apart = board[i] - column;
    if (apart == 0 || apart == row - i || apart == i - row) return 0;
  }
  return 1;
}

#ifdef CUT_OFF
static long place_alone(int n, int row, signed char* board) {
  if (row == n) return 1;
  long sum = 0;
  for (int column = 0; column < n; ++column) {
    if (!fits(row, board, column)) continue;
    board[row] = (signed char)column;
    sum += place_alone(n, row + 1, board);
  }
  return sum;
}
#endif

static long place(int n, int row, const signed char* board) {
  if (row == n) return 1;
#ifdef CUT_OFF
  if (n - row < cut_off) {
    signed char own[most];
    if (row > 0) memcpy(own, board, (size_t)row);
    return place_alone(n, row, own);
  }
#endif
  long found[most] = {0};
  for (int column = 0; column < n; ++column) {
    if (!fits(row, board, column)) continue;
#pragma omp task shared(found)
    {
      signed char next[most];
      if (row > 0) memcpy(next, board, (size_t)row);
      next[row] = (signed char)column;
      found[column] = place(n, row + 1, next);
    }
  }
#pragma omp taskwait
  long sum = 0;
  for (int column = 0; column < n; ++column) sum += found[column];
  return sum;
}

int main(int argc, char** argv) {
  int n = size_or(argc, argv, 7);
  if (n > most) {
    fprintf(stderr, "%s: at most %d queens\n", argv[0], most);
    return 2;
  }
  long found = 0;
  work_begins();
#pragma omp parallel
#pragma omp single
  found = place(n, 0, NULL);
  work_ends();
  printf("%ld\n", found);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
