// A tree whose shape nobody knows before: how many nodes it has. The sum is a reduction over the tasks of each node.
#include "program.h"

enum { most_depth = 200 };

// A node has 8 children or none: 0.97 on average, so that the tree ends, but nobody knows where.
#ifdef CUT_OFF
static long count_alone(unsigned long node, int depth) {
  long nodes = 1;
  if (depth == most_depth || mixed(node) % 1000 >= 121) return nodes;
  for (unsigned long child = 0; child < 8; ++child) nodes += count_alone(mixed(node * 8 + child + 1), depth + 1);
  return nodes;
}
#endif

static long count(unsigned long node, int depth) {
  long nodes = 1;
#ifdef CUT_OFF
  // From so many levels on.
  if (depth >= cut_off) return count_alone(node, depth);
#endif
  if (depth == most_depth || mixed(node) % 1000 >= 121) return nodes;
#pragma omp taskgroup task_reduction(+ : nodes)
  for (unsigned long child = 0; child < 8; ++child) {
#pragma omp task in_reduction(+ : nodes)
    nodes += count(mixed(node * 8 + child + 1), depth + 1);
  }
  return nodes;
}

int main(int argc, char** argv) {
  int roots = size_or(argc, argv, 100);
  long nodes = 0;
  work_begins();
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : nodes)
  for (int root = 0; root < roots; ++root) {
#pragma omp task in_reduction(+ : nodes)
    nodes += count((unsigned long)root * 1000003ul, 0);
  }
  work_ends();
  printf("%ld\n", nodes);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
