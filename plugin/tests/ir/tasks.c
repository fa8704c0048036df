// A region of single constructs with tasks is called; a task is a latent frame; what other files may call gets a copy.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
long fib(int n) {
  long a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
long region(int n) {
  long r;
#pragma omp parallel
#pragma omp single
  r = fib(n);
  return r;
}
// REMARK: [[@LINE-5]]:1: remark: the parallel region runs as a call; its tasks became latent frames

// Called from elsewhere it is as Clang made it.
// CHECK-LABEL: define {{.*}}i64 @fib(
// CHECK: call i32 @__kmpc_omp_task(
// CHECK-LABEL: define {{.*}}i64 @region(
// CHECK-NOT: @__kmpc_fork_call
// CHECK: call void @takt_omp_run_tasks(ptr @region.omp_outlined.takt_run,
// CHECK-LABEL: define dso_local i64 @fib.takt_tasks(
// CHECK-NOT: @__kmpc_omp
// The first task is pushed, unless there is no credit and the runtime says otherwise.
// CHECK: call i32 @takt_fork_poll(
// CHECK: store ptr @[[HOW:.omp_task_entry..takt.run]], ptr %[[SLOT:.*]],
// CHECK: call void @takt_fork_pushed(
// The second one is waited for at once.
// CHECK: call i32 @.omp_task_entry..3.takt(
// CHECK: call void @takt_omp_task_join(
// CHECK: call void @[[HOW]](
// CHECK: ret i64
