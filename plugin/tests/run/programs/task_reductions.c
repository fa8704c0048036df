// Reductions over tasks: of the taskgroup's own tasks and theirs, of several variables, nested taskgroups, taskloops,
// declared operators, arrays, and copies that outlive a wait.
#include "fib.h"
#include "show.h"

struct pair {
  long sum, largest;
};
static void merge(struct pair *into, const struct pair *from) {
  into->sum += from->sum;
  if (from->largest > into->largest) into->largest = from->largest;
}
static void begin(struct pair *own, const struct pair *original) { *own = (struct pair){0, original->largest - 7}; }
#pragma omp declare reduction(pairs : struct pair : merge(&omp_out, &omp_in)) \
    initializer(begin(&omp_priv, &omp_orig))

// Each node adds itself; a task's own part is added in two pieces, with a wait in between.
static void tree(long *sum, int depth, long at) {
  long s = 0;
#pragma omp taskgroup task_reduction(+ : s)
  {
#pragma omp task in_reduction(+ : s)
    {
      s += at;
      if (depth > 0) {
#pragma omp task in_reduction(+ : s)
        {
          long below = 0;
          tree(&below, depth - 1, 2 * at);
          s += below;
        }
#pragma omp task in_reduction(+ : s)
        {
          long below = 0;
          tree(&below, depth - 1, 2 * at + 1);
          s += below;
        }
#pragma omp taskwait
      }
      s += 1;
    }
  }
  *sum += s;
}

int main(void) {
  long s = 5, product = 1, bits = 0, t = 3, inner = 0, twice = 0, kept = 0, below = 0;
  int zero = 0;
  double d = 0.5;
  short least = 1000;
  struct pair p = {0, 0};
  long table[50] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : s, d) task_reduction(* : product) task_reduction(| : bits)
    {
      for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
        s += i;
#pragma omp task in_reduction(+ : d, s)
        {
          d += 0.25;
          s -= 1;
        }
        if (i % 100 == 0) {
#pragma omp task in_reduction(* : product) in_reduction(| : bits)
          {
            product *= 2;
            bits |= i;
          }
        }
      }
      // Not a task of the group's: the program's own variable.
      s += 1000;
    }
    s *= 2;
  }
  number("sum", s);
  number("double", (long)(d * 4));
  number("product", product);
  number("bits", bits);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(pairs : p) task_reduction(min : least)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(pairs : p) in_reduction(min : least)
    {
      struct pair own = {i, i * 37 % 1001};
      merge(&p, &own);
      if (i * 11 % 701 < least) least = (short)(i * 11 % 701);
    }
  }
  number("declared", p.sum);
  number("declared, largest", p.largest);
  number("least", least);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : table)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : table)
    for (int k = i; k < 3 * i; k += 7) table[k % 50] += k;
  }
  for (int i = 0; i < 50; ++i) v[i] = table[i];
  show("an array");
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : t)
    for (int i = 0; i < n; ++i) t += i;
#pragma omp taskloop reduction(+ : t) reduction(max : bits) if (zero)
    for (int i = 0; i < n; ++i) {
      t += fib(i % 5);
      if (i > bits) bits = i;
    }
#pragma omp taskgroup task_reduction(+ : inner)
    {
#pragma omp taskloop in_reduction(+ : inner)
      for (int i = 0; i < n; ++i) inner += i ^ 5;
#pragma omp task in_reduction(+ : inner) final(zero == 0)
      inner += fib(10);
#pragma omp task in_reduction(+ : inner) if (zero)
      inner += fib(11);
    }
  }
  number("taskloop", t);
  number("taskloop, most", bits);
  number("taskloop in a group", inner);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : twice)
  {
#pragma omp task in_reduction(+ : twice)
    {
      twice += 1;
#pragma omp taskgroup task_reduction(+ : twice)
      for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(+ : twice)
        twice += fib(i % 9);
      }
      twice += 1;
    }
#pragma omp task in_reduction(+ : twice)
    twice += 1;
  }
  number("a group in a group", twice);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : kept)
  for (int i = 0; i < 200; ++i) {
#pragma omp task in_reduction(+ : kept)
    {
      // They use the copy of the task around them.
      for (int k = 0; k < 3; ++k) {
#pragma omp task shared(kept)
        {
#pragma omp atomic
          kept += fib(k + 3);
        }
      }
    }
  }
  number("used by tasks inside", kept);
#pragma omp parallel
#pragma omp single
  tree(&below, 7, 1);
  number("a tree", below);
#pragma omp parallel master taskloop reduction(+ : below) num_threads(1)
  for (int i = 0; i < n; ++i) below += v[i % 50];
  number("a team of one", below);
  return 0;
}
// converted: 0 loops, 8 regions, 0 left
