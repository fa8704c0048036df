// A taskgroup's tasks borrow copies of what they reduce, and give them back when their own tasks are done; where the
// group ends, the copies are combined.
// RUN: %ir %s | %takt | %check
// RUN: %ir %s | %optimised | %check --check-prefix=OPTIMISED
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
long fib(int n);
long group(int n) {
  long s = 0, t = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : s, t)
    {
#pragma omp taskgroup
      {
#pragma omp task shared(n)
        n += 1;
      }
#pragma omp task in_reduction(+ : s, t)
      {
#pragma omp task shared(s, t)
        s += fib(n) + t;
      }
    }
    s *= 2;
  }
  return s;
}
long loop(int n) {
  long s = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames
#pragma omp parallel
#pragma omp single
#pragma omp taskloop reduction(+ : s)
  for (int i = 0; i < n; ++i) s += i;
  return s;
}

// CHECK-LABEL: define internal void @group.omp_outlined.takt(
// CHECK-NOT: @__kmpc_task
// CHECK: %[[ALL:.*]] = call ptr @takt_omp_reductions(i32 2, ptr
// The end of the inner group only waits.
// CHECK-COUNT-1: call void @takt_omp_combine(
// CHECK: mul nsw i64
// CHECK: }

// CHECK-LABEL: define internal void @loop.omp_outlined.takt(
// CHECK: %[[ALL:.*]] = call ptr @takt_omp_reductions(i32 1, ptr
// CHECK: call void @takt_omp_taskloop(
// CHECK: call void @takt_omp_combine(
// CHECK: ret void

// The loop's tasks.
// CHECK-LABEL: define internal void @.omp_outlined..{{[0-9]+}}.takt(
// CHECK: %[[COPY:.*]] = call ptr @takt_omp_borrow(ptr %{{.*}}, ptr %{{.*}})
// CHECK: call void @takt_omp_give_back(ptr %[[COPY]])
// CHECK-NEXT: ret void

// The group's task, in whose body something may wait.
// CHECK-LABEL: define internal void @.omp_outlined..{{[0-9]+}}.takt(
// CHECK: call void @takt_omp_task_join(
// CHECK: call void @takt_omp_give_back(ptr %{{.*}})
// CHECK-NOT: call void @takt_omp_task_join(
// CHECK: call void @takt_omp_give_back(ptr %{{.*}})
// CHECK-NEXT: ret void
// The body in which nothing waits.
// CHECK-COUNT-2: call ptr @takt_omp_borrow(ptr %{{.*}}, ptr %{{.*}})
// CHECK: call void @takt_omp_give_back(ptr %{{.*}})

// OPTIMISED: call ptr @takt_omp_borrow(
// OPTIMISED-NOT: @takt_omp_give_back(ptr {{.*}}{{poison|undef}})
// OPTIMISED: call void @takt_omp_give_back(
