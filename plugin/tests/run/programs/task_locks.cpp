// Locks in tasks: set and unset, in a guard, in wrappers, tested, one in another, left by an exception.
#include <cstdio>
#ifdef _OPENMP
#include <omp.h>
#else
struct omp_lock_t {};
struct omp_nest_lock_t {};
static void omp_init_lock(omp_lock_t*) {}
static void omp_set_lock(omp_lock_t*) {}
static void omp_unset_lock(omp_lock_t*) {}
static int omp_test_lock(omp_lock_t*) { return 1; }
static void omp_destroy_lock(omp_lock_t*) {}
static void omp_init_nest_lock(omp_nest_lock_t*) {}
static void omp_set_nest_lock(omp_nest_lock_t*) {}
static void omp_unset_nest_lock(omp_nest_lock_t*) {}
static void omp_destroy_nest_lock(omp_nest_lock_t*) {}
#endif

static omp_lock_t one, other;
static omp_nest_lock_t nested;
static long set_count, guarded, wrapped, tested, both, nests, thrown;

struct guard {
  omp_lock_t& lock;
  explicit guard(omp_lock_t& of) : lock(of) { omp_set_lock(&lock); }
  ~guard() { omp_unset_lock(&lock); }
};
static void lock() { omp_set_lock(&one); }
static void unlock() { omp_unset_lock(&one); }
static void add(long& to, int what) {
  if (what % 7 == 5) throw what;
  to += what;
}
static void add_nested(int depth) {
  omp_set_nest_lock(&nested);
  nests += depth;
  if (depth > 0) add_nested(depth - 1);
  omp_unset_nest_lock(&nested);
}
static long early(int n) {
  const guard held(one);
  for (int i = 0; i < n; ++i) {
    if (i == 3) return guarded += i;
  }
  return ++guarded;
}

static void visit(int n) {
  if (n > 1) {
#pragma omp task
    visit(n - 1);
#pragma omp task
    visit(n - 2);
  }
  omp_set_lock(&one);
  set_count += n;
  omp_unset_lock(&one);
  early(n);
  lock();
  if (n % 2 == 0) {
    wrapped += n;
    unlock();
  } else {
    unlock();
  }
  while (!omp_test_lock(&other)) {
  }
  ++tested;
  omp_unset_lock(&other);
  if (omp_test_lock(&other) != 0) {
    omp_unset_lock(&other);
  }
  omp_set_lock(&one);
  omp_set_lock(&other);
  both += 2;
  omp_unset_lock(&one);
  --both;
  omp_unset_lock(&other);
  add_nested(n % 4);
  try {
    const guard held(other);
    add(thrown, n);
  } catch (int what) {
    const guard held(other);
    thrown -= what;
  }
#pragma omp taskwait
}

int main() {
  omp_init_lock(&one);
  omp_init_lock(&other);
  omp_init_nest_lock(&nested);
#pragma omp parallel
#pragma omp single
  visit(14);
#pragma omp parallel for
  for (int i = 0; i < 1000; ++i) {
    const guard held(one);
    guarded += i;
    while (omp_test_lock(&other) == 0) {
    }
    ++tested;
    omp_unset_lock(&other);
  }
  std::printf("%ld %ld %ld %ld %ld %ld %ld\n", set_count, guarded, wrapped, tested, both, nests, thrown);
  omp_destroy_nest_lock(&nested);
  omp_destroy_lock(&other);
  omp_destroy_lock(&one);
  return 0;
}
// converted: 1 loops, 1 regions, 0 left
