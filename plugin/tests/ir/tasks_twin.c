// A function begins in a body in which nothing waits: what it calls after a task that has run at once is called so, too. A task
// that is pushed leads to the other body, whose wait leads back.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK

int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int got = 0;
// REMARK: [[@LINE+1]]:{{.*}}remark: the parallel region runs as a call
#pragma omp parallel
#pragma omp single
  got = fib(20);
  return got != 6765;
}

// CHECK-LABEL: define {{.*}}@fib.takt_tasks(
// The old body begins behind a task that was pushed.
// CHECK-NOT: icmp slt
// CHECK: call i32 @fib.takt_under(
// CHECK: call void @takt_omp_drain(
// CHECK: br label %[[BEHIND_WAIT:.*first]]
// The twin.
// CHECK: icmp slt
// CHECK: call {{.*}}@.omp_task_entry..takt(
// CHECK: call i32 @fib.takt_tasks(
// CHECK: [[BEHIND_WAIT]]:
// CHECK-NOT: takt_omp_drain
// CHECK: ret i32
// CHECK-NEXT: }
