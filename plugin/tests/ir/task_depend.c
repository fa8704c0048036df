// A task with a depend clause waits if one that waits is in conflict with it; so does what may make such tasks, and the
// function leaves none behind.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
void work(int *x);
static void inner(int *x) {
#pragma omp task depend(inout : x[0])
  x[0] += 1;
}
void chain(int *x, int n) {
  for (int i = 0; i < n; ++i) {
#pragma omp task depend(inout : x[i])
    x[i] += 1;
    inner(x);
  }
  work(x);
}
void region(int *x, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames; a task whose depend clause sets it behind another one waits for all that were made before
#pragma omp parallel
#pragma omp single
  chain(x, n);
}

// CHECK-LABEL: define dso_local void @chain.takt_tasks(
// CHECK: %[[KNOWN:.*]] = alloca ptr
// CHECK-NEXT: store ptr null, ptr %[[KNOWN]]
// CHECK-NEXT: %[[FIRST:.*]] = alloca ptr
// CHECK-NEXT: store ptr null, ptr %[[FIRST]]
// CHECK: %[[SET:.*]] = load ptr, ptr %[[KNOWN]]
// CHECK-NEXT: icmp ne ptr %[[SET]], null
// CHECK: %[[IS:.*]] = call zeroext i1 @takt_omp_is_in_conflict(ptr %[[SET]], i32 1, ptr %[[LIST:.*]])
// CHECK-NEXT: br i1 %[[IS]],
// CHECK: call void @takt_omp_drain(
// CHECK-NEXT: store ptr null, ptr %[[FIRST]]
// CHECK-NEXT: call void @takt_omp_forget(ptr %[[KNOWN]])
// A task that is pushed.
// CHECK: call void @takt_omp_depend(ptr %[[KNOWN]], i32 1, ptr %[[LIST]])
// CHECK-NEXT: getelementptr
// CHECK-NEXT: asm
// CHECK-NEXT: asm
// CHECK-NEXT: call void @takt_fork_pushed(
// Before other code is called that makes such tasks, or may.
// CHECK: call void @takt_omp_drain(
// CHECK: call void @inner.takt(
// CHECK: icmp eq ptr @{{.*}}.takt_quiet, null
// CHECK: call void @takt_omp_drain(
// CHECK: call void %{{.*}}(ptr
// CHECK: call void @takt_omp_drain(
// CHECK-NOT: call void @takt_omp_drain(
// CHECK: ret void
