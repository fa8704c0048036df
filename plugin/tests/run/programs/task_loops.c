// Loops that make a task in each iteration, with a wait behind them: in all forms that count, and some that do not.
#include <stdio.h>

enum { most = 400 };

static long mixed(long x) {
  unsigned long y = (unsigned long)x * 0x9e3779b97f4a7c15ul;
  return (long)(y >> 40);
}

// A tree whose shape nobody knows.
static long count(long node, int depth) {
  long nodes[5];
  if (depth == 0 || mixed(node) % 3 == 0) return 1;
  for (int child = 0; child < 5; ++child) {
#pragma omp task shared(nodes) firstprivate(child)
    nodes[child] = count(node * 5 + child + 1, depth - 1);
  }
#pragma omp taskwait
  long sum = 1;
  for (int child = 0; child < 5; ++child) sum = sum * 7 % 1000003 + nodes[child];
  return sum;
}

static long reduced(long node, int depth) {
  long nodes = 1, most_deep = depth;
  if (depth == 0 || mixed(node) % 4 == 0) return nodes;
#pragma omp taskgroup task_reduction(+ : nodes)
  for (int child = 0; child < 6; ++child) {
#pragma omp task in_reduction(+ : nodes)
    nodes += reduced(node * 6 + child + 1, depth - 1);
  }
#pragma omp taskgroup task_reduction(+ : nodes) task_reduction(max : most_deep)
  for (int child = 5; child >= 0; --child) {
#pragma omp task in_reduction(+ : nodes) in_reduction(max : most_deep)
    {
      nodes += child;
      if (most_deep < mixed(node) % 100) most_deep = mixed(node) % 100;
    }
  }
  return nodes + most_deep;
}

static long forms(int n) {
  long part[8][most] = {{0}};
  unsigned from = 3;
  long sum = 0;
  int after = 0;
  for (int i = 0; i < n; i += 3) {
#pragma omp task shared(part)
    part[0][i] = mixed(i);
  }
#pragma omp taskwait
  for (int i = n - 1; i >= 0; --i) {
#pragma omp task shared(part)
    part[1][i] = mixed(i + 1);
  }
#pragma omp taskwait
  for (unsigned i = from; i != (unsigned)n; ++i) {
#pragma omp task shared(part)
    part[2][i] = mixed(i + 2);
  }
#pragma omp taskwait
  for (long i = 0; n > i; ++i) {
    long twice = mixed(i) * 2;
    if (twice % 3 == 0) continue;
#pragma omp task shared(part)
    part[3][i] = twice;
  }
#pragma omp taskwait
  for (unsigned long i = (unsigned long)n; i > 0; --i) {
#pragma omp task shared(part) final(i % 2 == 0)
    part[4][i - 1] = count((long)i, 2);
  }
#pragma omp taskwait
  // The counter is looked at behind the loop.
  for (after = -4; after <= n - 6; after += 5) {
#pragma omp task shared(part)
    part[5][after + 4] = mixed(after);
  }
#pragma omp taskwait
  sum += after;
  // What an iteration leaves to the next one.
  for (int i = 0, last = 0; i < n; ++i) {
#pragma omp task shared(part) firstprivate(last)
    part[6][i] = mixed(last);
    last += i;
  }
#pragma omp taskwait
  // One that is left early, and nothing to do.
  for (int i = 0; i < n; ++i) {
    if (i == 50) break;
#pragma omp task shared(part)
    part[7][i] = mixed(i);
  }
  for (int i = n; i < n; ++i) {
#pragma omp task shared(part)
    part[7][0] = -1;
  }
#pragma omp taskwait
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < n; ++i) sum = (sum * 31 + part[k][i]) % 1000000007;
  }
  return sum;
}

int main(void) {
  long got[4] = {0};
#pragma omp parallel
#pragma omp single
  {
    got[0] = count(1, 7);
    got[1] = reduced(1, 6);
    got[2] = forms(most);
    got[3] = forms(11);
  }
  for (int i = 0; i < 4; ++i) printf("%ld\n", got[i]);
  long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 3000; ++i) {
#pragma omp task in_reduction(+ : sum)
    sum += count(i, 3);
  }
  printf("%ld\n", sum);
}
// converted: 0 loops, 2 regions, 0 left
