// Tasks that nobody waits for in the function that makes them: until a taskgroup's or the region's end.
#include "show.h"

static void count(long *at, int depth) {
#pragma omp task
  {
#pragma omp atomic
    *at += depth;
    if (depth > 0) {
      count(at, depth - 1);
      count(at + 1, depth - 1);
    }
  }
}

struct node {
  long value;
  struct node *next;
};

static void visit(struct node *first, long *sum) {
  for (; first; first = first->next) {
#pragma omp task
    {
#pragma omp atomic
      *sum += first->value;
    }
  }
}

static void leave(long *x) {
#pragma omp task
  *x += 1;
}

int main(void) {
  static struct node list[n];
  long sum = 0, group = 0, mixed = 0, waited = 0;
  for (int i = 0; i < n; ++i) list[i] = (struct node){i, i + 1 < n ? &list[i + 1] : 0};
#pragma omp parallel
#pragma omp single
  count(v, 9);
  show("count");
#pragma omp parallel
  {
#pragma omp single nowait
    visit(list, &sum);
#pragma omp barrier
#pragma omp single
    sum *= 2;
  }
  number("a list", sum);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      visit(list, &group);
      for (int i = 0; i < 10; ++i) count(&group, 0);
    }
    group *= 3;
#pragma omp taskgroup
    {
#pragma omp task shared(group)
      {
#pragma omp task shared(group)
        group += 5;
      }
    }
    group *= 2;
  }
  number("taskgroup", group);
#pragma omp parallel
#pragma omp single
  {
    leave(&mixed);
    long here = 0;
#pragma omp task shared(here)
    here = 4;
    leave(&waited);
#pragma omp taskwait
    mixed += here + waited;
  }
  number("left by a function", mixed);
  return 0;
}
// converted: 0 loops, 4 regions, 0 left
