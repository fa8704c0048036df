// Taskgroups that are cancelled: first without cancellation, then with it. What is counted are properties that hold with
// it, too.
#include "cases.h"
#include "cancellation.h"

enum { few = 200 };

#define ONE_THREAD _Pragma("omp parallel") _Pragma("omp single")
#define ADD(variable) _Pragma("omp atomic") variable++

// What was made before the group runs; what is made after a task has cancelled does not.
CASE(before_and_after) {
  int before = 0, begun = 0, behind = 0, later = 0, outside = 0;
  ONE_THREAD {
#pragma omp task shared(before)
    ADD(before);
#pragma omp taskgroup
    {
#pragma omp task shared(begun, behind)
      {
        ADD(begun);
#pragma omp cancel taskgroup
        ADD(behind);
      }
#pragma omp taskwait
      for (int i = 0; i < few; ++i) {
#pragma omp task shared(later)
        ADD(later);
      }
    }
#pragma omp task shared(outside)
    ADD(outside);
  }
  const int on = omp_get_cancellation();
  return before + 2 * begun + 4 * outside + 8 * (behind == !on) + 16 * (later == (on ? 0 : few));
}

static void cancels(int *ran, int when) {
#pragma omp task
  {
    ADD((*ran));
#pragma omp cancel taskgroup if (when)
  }
}

// A group that is inside another one is cancelled alone, and by tasks of other functions.
CASE(nested_groups) {
  int inner = 0, outer = 0, own = 0;
  ONE_THREAD {
#pragma omp taskgroup
    {
      for (int i = 0; i < 20; ++i) {
#pragma omp task shared(inner, outer)
        {
#pragma omp taskgroup
          {
            cancels(&inner, 1);
#pragma omp taskwait
            cancels(&inner, 0);
          }
          ADD(outer);
        }
      }
      cancels(&own, 0);
    }
  }
  return outer + 100 * (inner == (omp_get_cancellation() ? 20 : 40)) + 200 * own;
}

static void search(int depth, int *found, int *visited) {
  ADD((*visited));
  if (depth == 0) return;
  for (int k = 0; k < 3; ++k) {
#pragma omp task
    {
      if (depth == 2 && k == 1) {
#pragma omp atomic write
        *found = 1;
#pragma omp cancel taskgroup
      }
#pragma omp cancellation point taskgroup
      search(depth - 1, found, visited);
    }
  }
}

CASE(search_in_a_tree) {
  int found = 0, visited = 0;
  ONE_THREAD {
#pragma omp taskgroup
    search(7, &found, &visited);
  }
  return found + 2 * (omp_get_cancellation() ? visited >= 1 && visited <= 3280 : visited == 3280);
}

CASE(taskloops) {
  int begun = 0, behind = 0, all = 0;
  ONE_THREAD {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < few; ++i) {
      ADD(begun);
#pragma omp cancel taskgroup
      ADD(behind);
    }
#pragma omp taskloop
    for (int i = 0; i < few; ++i) ADD(all);
  }
  const int on = omp_get_cancellation();
  return (on ? begun >= 1 && begun <= few : begun == few) + 2 * (behind == (on ? 0 : few)) + 4 * (all == few);
}

// Sums are of what has run.
CASE(reductions) {
  int sum = 0, ran = 0;
  ONE_THREAD {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < few; ++i) {
#pragma omp task in_reduction(+ : sum) shared(ran)
      {
        sum += 1;
        ADD(ran);
#pragma omp cancel taskgroup if (i == 10)
      }
    }
  }
  return (sum == ran) + 2 * (omp_get_cancellation() ? ran >= 1 : ran == few);
}

// Each iteration has groups of its own.
CASE(in_iterations) {
  int ran = 0, later = 0;
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
#pragma omp taskgroup
    {
      cancels(&ran, i % 2);
#pragma omp taskwait
#pragma omp task shared(later)
      ADD(later);
    }
  }
  return ran + 1000 * (later == (omp_get_cancellation() ? few / 2 : few));
}

// A task that runs at once, and one that is final, end their group as others do.
CASE(at_once) {
  int ran = 0, later = 0;
  ONE_THREAD {
    for (int way = 0; way < 2; ++way) {
#pragma omp taskgroup
      {
#pragma omp task if (way) final(!way) shared(ran)
        {
          ADD(ran);
#pragma omp cancel taskgroup
        }
#pragma omp taskwait
#pragma omp task if (0) shared(later)
        ADD(later);
      }
    }
  }
  return ran + 10 * (later == (omp_get_cancellation() ? 0 : 2));
}

// A region with tasks that is cancelled as a whole.
CASE(whole_region) {
  int first = 0, second = 0;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task shared(first)
      ADD(first);
    }
    if (first != 0) {
#pragma omp cancel parallel
    }
#pragma omp single
    {
#pragma omp task shared(second)
      ADD(second);
    }
  }
  return first + 2 * (second == !omp_get_cancellation());
}

CASE(beside_a_loop) {
  int later = 0;
#pragma omp parallel
  {
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp cancellation point taskgroup
        v[0] = 4;
#pragma omp cancel taskgroup
      }
#pragma omp taskwait
#pragma omp task shared(later)
      later = 1;
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0];
  }
  return taken() + (later == !omp_get_cancellation());
}

CASE(never_cancelled) {
  long s = 0;
  ONE_THREAD {
#pragma omp taskgroup
    for (int i = 0; i < few; ++i) {
#pragma omp task shared(s)
      {
        if (i < 0) {
#pragma omp cancel taskgroup
        }
#pragma omp atomic
        s += i;
      }
    }
  }
  return s;
}

int main(int argc, char **argv) {
  RUN(before_and_after);
  RUN(nested_groups);
  RUN(search_in_a_tree);
  RUN(taskloops);
  RUN(reductions);
  RUN(in_iterations);
  RUN(at_once);
  RUN(whole_region);
  RUN(beside_a_loop);
  RUN(never_cancelled);
  return again_with_cancellation(argc, argv);
}
// converted: 2 loops, 10 regions, 0 left
