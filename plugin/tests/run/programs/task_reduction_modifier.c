// reduction(task, ...) of regions, loops and sections: tasks add to what the construct adds to, in its own code, in
// functions that it calls, and in tasks of tasks.
#include "by_clang.h"
#include "fib.h"
#include "show.h"

struct pair {
  long sum, largest;
};
static void merge(struct pair* into, const struct pair* from) {
  into->sum += from->sum;
  if (from->largest > into->largest) into->largest = from->largest;
}
#pragma omp declare reduction(pairs : struct pair : merge(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct pair){0, 0})

static long all;
static void tree(int depth, long at) {
#pragma omp task in_reduction(+ : all)
  {
    all += at;
    if (depth > 0) {
      tree(depth - 1, 2 * at);
#pragma omp task
      tree(depth - 1, 2 * at + 1);
    }
  }
}

static long in_function(int count) {
  static long sum;
  sum = 7;
#pragma omp for reduction(task, + : sum)
  for (int i = 0; i < count; ++i) {
    sum += i;
#pragma omp task in_reduction(+ : sum)
    sum += fib(i % 8);
  }
  return sum;
}

static long counted(int threads, int condition) {
  long s = 1;
#pragma omp parallel for reduction(task, + : s) num_threads(threads) if (condition)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += i;
  }
#pragma omp parallel reduction(task, + : s) num_threads(threads) if (condition)
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += i;
  }
  return s;
}

int main(void) {
  long s = 5, product = 1, bits = 0, more = 2, t = 3, kept = 0, part = 0;
  short least = 1000;
  struct pair p = {0, 0};
  long table[30] = {0};
#pragma omp parallel reduction(task, + : s) reduction(task, * : product) reduction(| : bits)
#pragma omp single
  {
    for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s) in_reduction(* : product)
      {
        s += i;
        if (i % 10 == 0) {
#pragma omp task in_reduction(+ : s) in_reduction(* : product)
          {
            s += fib(i % 11);
            if (i % 100 == 0) product *= 2;
          }
        }
      }
      bits |= i;
    }
    s += 1000;
  }
  number("a region", s);
  number("product", product);
  number("bits", bits);
#pragma omp parallel reduction(task, pairs : p) reduction(task, min : least)
#pragma omp masked
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(pairs : p) in_reduction(min : least)
    {
      struct pair own = {i, i * 37 % 1001};
      merge(&p, &own);
      if (i * 11 % 701 < least) least = (short)(i * 11 % 701);
    }
  }
  number("declared", p.sum + p.largest);
  number("least", least);
#pragma omp parallel for reduction(task, + : table) schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : table)
    for (int k = i; k < 3 * i; k += 7) table[k % 30] += k;
    table[i % 30] += 1;
  }
  for (int i = 0; i < 30; ++i) v[i] = table[i];
  show("an array");
#pragma omp parallel
  {
#pragma omp for reduction(task, + : more) schedule(static, 5)
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k) {
#pragma omp task in_reduction(+ : more)
        more += fib(k) + i;
      }
    }
#pragma omp for reduction(task, + : t) collapse(2) schedule(guided)
    for (int i = 0; i < 30; ++i) {
      for (int k = 0; k < 20; ++k) {
#pragma omp taskgroup
        {
#pragma omp task in_reduction(+ : t)
          t += i * k;
        }
#pragma omp taskloop in_reduction(+ : t)
        for (int l = 0; l < 5; ++l) t += l;
      }
    }
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : part)
      {
#pragma omp task in_reduction(+ : part)
        part += 3;
      }
    }
  }
  number("two loops", more);
  number("collapsed", t);
  number("a block beside", part);
#pragma omp parallel sections reduction(task, + : kept)
  {
#pragma omp section
    for (int i = 0; i < 200; ++i) {
#pragma omp task in_reduction(+ : kept)
      kept += fib(i % 9);
    }
#pragma omp section
    {
      long own = 0;
#pragma omp taskgroup task_reduction(+ : own)
      for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : own, kept)
        {
          own += 1;
          kept += 2;
        }
      }
      kept += own;
    }
  }
  number("sections", kept);
  by_clang_alone();
#pragma omp parallel for reduction(task, + : all)
  for (int i = 0; i < 20; ++i) tree(5, i);
  number("elsewhere, from a loop", all);
#pragma omp parallel reduction(task, + : all)
#pragma omp single
  tree(8, 1);
  number("elsewhere, from a region", all);
#pragma omp parallel
  {
    long got = in_function(n);
#pragma omp single
    number("a loop in a function", got);
  }
  number("a team of one", counted(1, 1));
  number("no team", counted(3, 0));
  number("a team", counted(3, 1));
  return 0;
}
// converted: 7 loops, 10 regions, 0 left
