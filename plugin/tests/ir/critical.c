// A critical section in a loop asks for the number of the thread that runs it now, in a function that is not inlined:
// a slice goes on on other threads after a join.
// RUN: %ir %s | %takt | %check
// RUN: %ir -fsanitize=thread %s | %takt | %check --check-prefix=WATCHED
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
void body(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    a[0] += i;
  }
}
// CHECK-LABEL: define internal void @takt.critical(ptr %0, ptr %1)
// CHECK-SAME: #[[ATTRIBUTES:[0-9]+]]
// CHECK: %[[NUMBER:.*]] = call i32 @__kmpc_global_thread_num(ptr %0)
// CHECK: call void @__kmpc_critical(ptr %0, i32 %[[NUMBER]], ptr %1)
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK-NOT: __kmpc
// CHECK: call void @takt.critical(ptr @{{.*}}, ptr @.gomp_critical_user_.var)
// CHECK: call void @takt.end_critical(ptr @{{.*}}, ptr @.gomp_critical_user_.var)
// CHECK-NOT: __kmpc
// CHECK: attributes #[[ATTRIBUTES]] = { noinline
// CHECK-NOT: tsan

// ThreadSanitizer is told of the lock, while it is held.
// WATCHED-LABEL: define internal void @takt.critical(
// WATCHED: call void @__kmpc_critical(
// WATCHED-NEXT: call void @__tsan_acquire(ptr %1)
// WATCHED-LABEL: define internal void @takt.end_critical(
// WATCHED: call void @__tsan_release(ptr %1)
// WATCHED-NEXT: call void @__kmpc_end_critical(

// Nobody may wait for a loop while holding a lock that another slice on the same thread could ask for.
static void loop(int *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = i;
}
void around(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches a critical section that contains a parallel region
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    if (i == 7) loop(a, n);
  }
}
