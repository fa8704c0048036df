// Tasks beside loops: what one thread runs, and what makes tasks in iterations, are functions of their own.
// RUN: %ir %s | %takt | %check
// RUN: %ir -g %s | %optimised -o /dev/null
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
#pragma omp begin assumes no_openmp
static void set(int *x, int y) { *x = y; }
#pragma omp end assumes

// One thread runs the tasks, in a parallel call; then the loop.
// CHECK-LABEL: define {{.*}}void @beside(
// CHECK-NOT: @__kmpc_fork_call
// CHECK: call void @beside.omp_outlined(
// CHECK-LABEL: define internal void @beside.omp_outlined(
// CHECK-NOT: call {{.*}}@__kmpc
// CHECK: call void @takt_omp_run_tasks(ptr @beside.omp_outlined.once.takt_run,
// CHECK-NOT: call {{.*}}@__kmpc
// CHECK: ret void
void beside(int n, int *a) {
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one; its loops became takt loops, its tasks latent frames
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task
      set(&a[0], 1);
    }
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp for
    for (int i = 1; i < n; ++i) a[i] = i;
  }
}

// A variable of which the loop and a block of one thread have copies, each its own, goes with both of them.
// CHECK-LABEL: define internal void @apart.omp_outlined(
// CHECK-NOT: call {{.*}}@__kmpc
// CHECK: call void @takt_omp_run_tasks(ptr @apart.omp_outlined.once.takt_run,
// CHECK-NOT: call {{.*}}@__kmpc
// CHECK: call void @takt_omp_run_tasks(ptr @apart.omp_outlined.once.{{[0-9]+}}.takt_run,
// CHECK-NOT: call {{.*}}@__kmpc
// CHECK: ret void
void apart(int n, int *a) {
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one; its loops became takt loops, its tasks latent frames
#pragma omp parallel
  {
    int x;
#pragma omp single
    {
#pragma omp task
      set(&a[0], 1);
    }
#pragma omp single
    {
      x = n;
#pragma omp task
      set(&a[1], 1);
      a[2] = x;
    }
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp for
    for (int i = 3; i < n; ++i) {
      x = i;
      a[i] = x;
    }
  }
}

// CHECK-LABEL: define {{.*}}void @inside(
// CHECK-NOT: @__kmpc_fork_call
// CHECK: ret void
void inside(int n, int *a) {
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one; its loops became takt loops, its tasks latent frames
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp task
    set(&a[i], i);
  }
}

// In a team of one, tasks run where they are made.
void one(int n, int *a) {
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < n; ++i) {
#pragma omp task
    set(&a[i], i);
  }
}

// CHECK: define internal void @beside.omp_outlined.once.takt(
// CHECK-LABEL: define internal void @inside.omp_outlined.for.iteration.takt(
// CHECK-NOT: @__kmpc_omp_task
// CHECK: call void @inside.omp_outlined.for.iteration.takt_pushing(
// CHECK-LABEL: define internal void @one.omp_outlined{{.*}}.for.iteration.takt_serial(
// CHECK-NOT: @takt_fork_poll
// CHECK: ret void
// The iteration pushes its task, and waits for it.
// CHECK-LABEL: define internal void @inside.omp_outlined.for.iteration.takt_pushing(
// CHECK: call i32 @takt_fork_poll(
// CHECK: call void @takt_omp_task_join(
// CHECK: ret void
// CHECK-LABEL: define internal void @inside.omp_outlined.for.takt_slice(
// CHECK: call void @inside.omp_outlined.for.iteration.takt({{.*}}) #[[TASKS:[0-9]+]]
// CHECK: attributes #[[TASKS]] = {{.*}}"takt.tasks"
