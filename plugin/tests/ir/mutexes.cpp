// A mutex is a lock, too; so is a static variable that is being initialised.
// RUN: %remarks -std=c++20 %s 2>&1 | %check
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
static std::mutex m;
static std::recursive_mutex r;
static std::shared_mutex s;
static pthread_mutex_t p = PTHREAD_MUTEX_INITIALIZER;
static long sum;
void unseen();
int number();
static void inner(int *v, int n) {
#pragma omp parallel for
  for (int j = 0; j < n; ++j) v[j] = j;
}
static int made_by_a_loop(int *v, int n) {
  inner(v, n);
  return v[0];
}
void all(int *v, int n) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const std::lock_guard guard(m);
    inner(v, n);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it calls code of other files while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const std::lock_guard guard(m);
    unseen();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    std::unique_lock guard(m);
    inner(v, n);
    guard.unlock();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const std::lock_guard guard(m);
    {
      std::unique_lock other(r);
      other.unlock();
    }
    inner(v, n);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const std::scoped_lock guards(m, r);
    inner(v, n);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const std::shared_lock guard(s);
    inner(v, n);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    if (i > 3) pthread_mutex_lock(&p);
    inner(v, n);
    if (i > 3) pthread_mutex_unlock(&p);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a static variable whose initialiser contains a parallel region or a task
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    static const int first = made_by_a_loop(v, n);
    v[i] = first;
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop [
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    {
      const std::lock_guard guard(m);
      ++sum;
    }
    {
      std::unique_lock guard(m);
      ++sum;
      guard.unlock();
    }
    {
      const std::scoped_lock guards(m, r);
      ++sum;
    }
    {
      const std::shared_lock guard(s);
      v[i] = sum;
    }
    if (m.try_lock()) {
      ++sum;
      m.unlock();
    }
    if (pthread_mutex_trylock(&p) == 0) pthread_mutex_unlock(&p);
    inner(v, n);
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop; it calls code of other files
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    static const int first = number();
    v[i] = first;
  }
}
