// Tasks that take part in a reduction of a taskgroup in another function: recursion, several variables, groups inside
// groups, tasks that only hand the group on, and every way in which such a task may run.
#include "fib.h"
#include "show.h"

static long total, most, other;
static long table[16];
#pragma omp declare reduction(largest:long : omp_out = omp_out > omp_in ? omp_out : omp_in) \
    initializer(omp_priv = omp_orig - 5)

// Each node is a task, which makes those of its children.
static void visit(int depth, long at) {
#pragma omp task in_reduction(+ : total)
  {
    total += at;
    if (depth > 0) {
      visit(depth - 1, 2 * at);
      visit(depth - 1, 2 * at + 1);
    }
    total += 1;
  }
}

// The caller may have tasks that wait.
static void add_other(int depth, long at) {
#pragma omp task in_reduction(+ : other)
  {
    other += at;
    if (depth > 0) {
      add_other(depth - 1, 2 * at);
#pragma omp task
      add_other(depth - 1, 2 * at + 1);
#pragma omp taskwait
    }
    other += 1;
  }
}

// No task of it takes part, but those that it calls do.
static long hand_on(int depth, long at) {
  long below = 0, mine = fib(5);
#pragma omp task shared(below)
  below = depth > 0 ? hand_on(depth - 1, at + 1) : at;
  visit(2, at);
  if (depth > 0) mine += hand_on(depth - 1, at + 2);
#pragma omp taskwait
  return below + mine;
}

// A group inside the others: of another variable, of the same, and of none.
static void inside(int depth, long at) {
#pragma omp task in_reduction(+ : total) in_reduction(largest : most)
  {
    long own = 0, mine = at;
    if (most < at) most = at;
#pragma omp taskgroup task_reduction(+ : own)
    {
      add_other(2, at);
      visit(1, at);
#pragma omp task in_reduction(+ : own)
      {
        own += 3;
        visit(1, 2);
      }
      if (depth > 0) inside(depth - 1, at + 1);
    }
#pragma omp taskgroup
    {
      visit(2, at);
    }
#pragma omp taskgroup task_reduction(+ : total)
    {
      visit(2, 1);
#pragma omp task in_reduction(+ : total)
      total += at;
    }
    visit(1, mine);
    total += own;
  }
}

static void many(int k, long a, long b, long c, long d) {
  long list[8] = {a, b, c, d, a, b, c, d};
#pragma omp task in_reduction(+ : total, table) in_reduction(largest : most) firstprivate(list)
  {
    for (int i = 0; i < 8; ++i) table[(k + i) % 16] += list[i];
    total += a + b;
    if (c > most) most = c;
  }
#pragma omp task in_reduction(+ : total) firstprivate(a, b, c, d, k)
  total += a * b + c * d + k;
#pragma omp task in_reduction(+ : total) if (k % 3 != 0)
  {
    total += 1;
    visit(1, k);
  }
#pragma omp task in_reduction(+ : total) final(k % 5 == 0)
  {
    total += 2;
    visit(2, k);
  }
#pragma omp task in_reduction(+ : table) untied
  {
    table[k % 16] += 1;
#pragma omp taskyield
    table[(k + 1) % 16] += 1;
  }
}

static void loops(int k) {
#pragma omp taskloop in_reduction(+ : total)
  for (int i = 0; i < k; ++i) {
    total += i;
    if (i % 4 == 0) visit(1, i);
  }
  long sum = 0;
#pragma omp taskloop reduction(+ : sum) in_reduction(+ : table)
  for (int i = 0; i < k; ++i) {
    sum += i;
    table[i % 16] += 1;
    visit(1, i);
    add_other(1, i);
  }
#pragma omp task in_reduction(+ : other)
  other += sum;
}

// Clang names the group of the inner task by a variable that nobody sets.
static long without(int k) {
  long s = 0;
#pragma omp taskgroup task_reduction(+ : s)
  for (int i = 0; i < k; ++i) {
#pragma omp task shared(s)
    {
#pragma omp task in_reduction(+ : s)
      {
        s += fib(i % 7);
        visit(1, i);
      }
#pragma omp taskgroup task_reduction(+ : other)
      {
#pragma omp task in_reduction(+ : s)
        s += i;
      }
    }
#pragma omp taskwait
  }
  return s;
}

// The variable is the function's own, and its tasks also take part in a group elsewhere.
static long both(int k) {
  long own = 0;
#pragma omp taskgroup task_reduction(+ : own)
  for (int i = 0; i < k; ++i) {
#pragma omp task in_reduction(+ : own) in_reduction(+ : total)
    {
      own += i;
      total += fib(i % 6);
    }
  }
  return own;
}

static void one_more(int k) {
#pragma omp parallel if (k > 1)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  visit(6, k);
}

int main(void) {
  long result = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  visit(12, 1);
  number("a tree", total);
#pragma omp parallel
#pragma omp single
  {
    // Before the group: not its task.
#pragma omp task shared(result)
    result = fib(12);
#pragma omp taskgroup task_reduction(+ : other)
    {
      add_other(8, 1);
      add_other(3, 1);
    }
    other *= 2;
#pragma omp taskgroup task_reduction(+ : other)
    add_other(3, 1);
  }
  number("two groups", other);
  number("beside", result);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  result = hand_on(6, 1);
  number("handed on", total);
  number("handed on, result", result);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total, other) task_reduction(largest : most)
  inside(7, 1);
  number("groups inside", total);
  number("groups inside, most", most);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(largest : most) task_reduction(+ : table)
#pragma omp taskgroup task_reduction(+ : total)
  for (int i = 0; i < n / 4; ++i) many(i, i + 1, i + 2, i + 3, i + 4);
  number("many", total);
  number("many, most", most);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total, table, other)
  {
    loops(100);
    loops(0);
  }
  number("loops", total);
  number("loops, other", other);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  result = without(n / 8);
  number("without", result);
  number("without, total", total);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  for (int i = 0; i < 20; ++i) {
#pragma omp task shared(result)
    {
      const long own = both(n / 20 + i);
#pragma omp atomic
      result += own;
    }
  }
  number("both", result);
  number("both, total", total);
  one_more(1);
  one_more(2);
  number("serial", total);
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  visit(5, 1);
  number("a team of one", total);
  for (int i = 0; i < 16; ++i) v[i] = table[i];
  show("the table");
  return 0;
}
// converted: 0 loops, 10 regions, 0 left
