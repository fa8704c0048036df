/* C11, with threads' identities: who calls stays where it is. */
#include "takt_c.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "takt_c: %s\n", what);
  exit(1);
}

struct call {
  int n;
  long result;
};
static void fib(void* argument) {
  struct call* c = argument;
  if (c->n < 2) {
    c->result = c->n;
    return;
  }
  struct call a = {c->n - 1, 0}, b = {c->n - 2, 0};
  const pthread_t before = pthread_self();
  takt_c_join(fib, &a, fib, &b);
  check(pthread_equal(before, pthread_self()), "a join went on on another thread");
  c->result = a.result + b.result;
}

static _Atomic int hits[100003];
static void hit(void* argument, uint64_t begin, uint64_t end) {
  check(begin < end, "an empty part");
  for (uint64_t i = begin; i != end; ++i) ++((_Atomic int*)argument)[i];
}
static _Atomic long inner;
static void count(void* argument, uint64_t begin, uint64_t end) {
  (void)argument;
  inner += (long)(end - begin);
}
static void nest(void* argument, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i != end; ++i) {
    const pthread_t before = pthread_self();
    takt_c_for(0, 100, count, argument);
    check(pthread_equal(before, pthread_self()), "a loop went on on another thread");
  }
}

static takt_c_scope* scope;
static _Atomic long nodes;
static void tree(void* argument) {
  ++nodes;
  const long depth = (long)argument;
  for (int child = 0; child < 2 && depth > 0; ++child) takt_c_scope_run(scope, tree, (void*)(depth - 1));
}

int main(void) {
  check(takt_c_version() == TAKT_C_VERSION, "the header is of another version");
  check(takt_c_workers() >= 1, "no workers");
  struct call c = {16, 0};
  fib(&c);
  check(c.result == 987, "fib(16)");
  takt_c_for(3, 100003, hit, hits);
  for (int i = 0; i < 100003; ++i) check(hits[i] == (i >= 3), "an iteration did not run once");
  takt_c_for(5, 5, hit, hits);
  takt_c_for(6, 5, hit, hits);
  takt_c_for(0, 500, nest, NULL);
  check(inner == 50000, "nested loops");
  scope = takt_c_scope_new();
  check(scope != NULL, "no scope");
  for (int again = 1; again <= 2; ++again) {
    takt_c_scope_run(scope, tree, (void*)9L);
    takt_c_scope_wait(scope);
    check(nodes == again * 1023, "a scope did not wait for all");
  }
  takt_c_scope_delete(scope);
  return 0;
}
