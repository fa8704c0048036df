// A lock of the OpenMP runtime is not held where code may wait, or run something else.
// RUN: %remarks %s 2>&1 | %check
// RUN: %ir -fsanitize=thread %s | %takt | %check --check-prefix=WATCHED
#include <omp.h>
extern omp_lock_t l, m;
extern long sum;
void unseen(void);
static void lock(void) { omp_set_lock(&l); }
static void unlock(void) { omp_unset_lock(&l); }
static void loop(int *v, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = i;
}
static void a_task(void) {
#pragma omp task
  ++sum;
}
static void tasks_then_lock(void) {
  a_task();
  omp_set_lock(&l);
}
// It ends as it began only if n is 0.
static void locks_and_calls_itself(int n) {
  omp_set_lock(&l);
  if (n > 0) locks_and_calls_itself(n - 1);
}
void tasks(int n, int *v) {
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs
#pragma omp parallel
#pragma omp single
  {
    a_task();
    lock();
    ++sum;
    unlock();
    if (omp_test_lock(&m)) omp_unset_lock(&m);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel
#pragma omp single
  {
    lock();
    a_task();
    unlock();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel
#pragma omp single
  {
    a_task();
    omp_set_lock(&l);
#pragma omp taskwait
    omp_unset_lock(&l);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it calls code of other files while it holds a lock
#pragma omp parallel
#pragma omp single
  {
    a_task();
    omp_set_lock(&l);
    unseen();
    omp_unset_lock(&l);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it may hold a lock or not, by the way that it has come
#pragma omp parallel
#pragma omp single
  {
    a_task();
    if (n > 1) omp_set_lock(&l);
    ++sum;
    if (n > 1) omp_unset_lock(&l);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it may hold a lock or not, by the way that it has come
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    lock();
    a_task();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it may hold a lock or not, by the way that it has come
#pragma omp parallel
#pragma omp single
  {
    a_task();
    locks_and_calls_itself(n);
  }
// Before it returns, the task may be run.
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel
#pragma omp single
  {
    tasks_then_lock();
    unlock();
  }
}
void loops(int n, int *v) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a parallel region or a task while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    lock();
    loop(v, n);
    unlock();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it calls code of other files while it holds a lock
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    omp_set_lock(&l);
    unseen();
    omp_unset_lock(&l);
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    omp_set_lock(&l);
    sum += i;
    omp_unset_lock(&l);
    loop(v, n);
  }
}
// WATCHED-LABEL: define internal void @takt.omp_set_lock(
// WATCHED: call void @omp_set_lock(
// WATCHED-NEXT: call void @__tsan_acquire(
// WATCHED-LABEL: define internal void @takt.omp_unset_lock(
// WATCHED: call void @__tsan_release(
// WATCHED-NEXT: call void @omp_unset_lock(
// WATCHED-LABEL: define internal i32 @takt.omp_test_lock(
// WATCHED: %[[GOT:.*]] = call i32 @omp_test_lock(
// WATCHED: icmp ne i32 %[[GOT]], 0
// WATCHED: call void @__tsan_acquire(
