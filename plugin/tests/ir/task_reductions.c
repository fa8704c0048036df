// A taskgroup's tasks borrow copies of what they reduce, and give them back when their own tasks are done; where the
// group ends, the copies are combined. One that runs where it is made uses the variable itself.
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

static long count(int depth) {
  long nodes = 1;
  if (depth == 0) return nodes;
#pragma omp taskgroup task_reduction(+ : nodes)
  for (int child = 1; child < 256; child *= 2) {
#pragma omp task in_reduction(+ : nodes)
    nodes += count(depth - fib(child));
  }
  return nodes;
}
long tree(int depth) {
  long nodes = 0;
#pragma omp parallel
#pragma omp single
  nodes = count(depth);
  return nodes;
}
// A task inside a task takes part in the group of the other function: it has a copy even if it runs at once, as the one
// around it may run beside the group.
long inside(int n) {
  long s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
  {
#pragma omp task
    {
      long own = 0;
#pragma omp taskgroup task_reduction(+ : own)
      {
#pragma omp task in_reduction(+ : s, own) if (0)
        s += fib(n);
      }
    }
  }
  return s;
}

// CHECK-LABEL: define internal void @group.omp_outlined.takt(
// CHECK-NOT: @__kmpc_task
// CHECK: %[[GROUP:.*]] = alloca { ptr, ptr, i64, ptr }
// CHECK-NOT: @__kmpc_task
// The end of the inner group only waits.
// CHECK-COUNT-1: call void @takt_omp_combine(ptr %[[GROUP]])
// CHECK: mul nsw i64
// CHECK: }

// CHECK-LABEL: define internal void @loop.omp_outlined.takt(
// CHECK: %[[GROUP:.*]] = alloca { ptr, ptr, i64, ptr }
// CHECK: call void @takt_omp_taskloop(
// CHECK: call void @takt_omp_combine(ptr %[[GROUP]])
// CHECK: ret void

// A task whose groups may be another task's is told nothing.
// CHECK-LABEL: define internal void @.omp_outlined..{{[0-9]+}}.takt(
// CHECK: alloca [{{[0-9]+}} x i8]
// CHECK: call i32 @.omp_task_entry..{{[0-9]+}}.takt(i32 0,
// CHECK: call void @takt_omp_combine(

// The inner task of `inside`, which has no tasks of its own.
// CHECK-LABEL: define internal void @.omp_outlined..{{[0-9]+}}.takt(i32 noundef %0,
// CHECK: %[[HAS:.*]] = icmp ne i32 %0, 1
// CHECK: br i1 %[[HAS]]
// CHECK: %[[COPY:.*]] = call ptr @takt_omp_borrow(ptr %{{.*}}, ptr %[[VARIABLE:.*]])
// CHECK: %[[USED:.*]] = phi ptr [ %[[VARIABLE]], %{{.*}} ], [ %[[COPY]], %{{.*}} ]
// CHECK: br i1 %[[HAS]]
// CHECK: call void @takt_omp_give_back(ptr %[[USED]])
// CHECK: ret void

// CHECK-LABEL: define internal i64 @count.takt(
// CHECK: call i32 @.omp_task_entry..{{[0-9]+}}.takt(i32 1,
// No more is pushed while 256 frames wait.
// CHECK: getelementptr i8, ptr %{{.*}}, i64 -16384
// CHECK: call void @takt_omp_drain_here(ptr %{{.*}}, ptr @[[CODE:.*]].run, ptr @[[CODE]].run_here)
// CHECK: define internal void @[[CODE]].run(
// CHECK: call i32 @[[CODE]](i32 0,
// CHECK: define internal void @[[CODE]].run_here(
// CHECK: call i32 @[[CODE]](i32 1,

// The group's task, whose own one is free: nothing is to be waited for.
// CHECK-LABEL: define internal void @.omp_outlined..3.takt(
// CHECK: call void @.omp_outlined..3.takt_pushing(
// CHECK-COUNT-2: call ptr @takt_omp_borrow(ptr %{{.*}}, ptr %{{.*}})
// CHECK-NOT: call void @takt_omp_task_join(
// CHECK-COUNT-2: call void @takt_omp_give_back(ptr %{{.*}})
// In its other version something may wait: the copies go back behind that.
// CHECK-LABEL: define internal void @.omp_outlined..3.takt_pushing(
// CHECK: call void @takt_omp_task_join(
// CHECK: call void @takt_omp_give_back(ptr %{{.*}})
// CHECK-NOT: call void @takt_omp_task_join(
// CHECK: call void @takt_omp_give_back(ptr %{{.*}})

// OPTIMISED-LABEL: define internal {{.*}}@count.takt(
// OPTIMISED-NOT: @takt_omp_borrow
// OPTIMISED: call void @takt_omp_drain_here(
// OPTIMISED-NOT: @takt_omp_borrow
// OPTIMISED: ret i64
