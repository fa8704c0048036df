// reduction(task, ...) is a taskgroup: of a region that became a call, around its code; of a loop, around each iteration.
// Where lengths are known only at run time, they go with the copies, not through Clang's thread-local variable.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
// RUN: %remarks -g %s 2>&1 | %check --check-prefix=REMARK
long fib(int n);
long region(int n) {
  long s = 0;
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames
#pragma omp parallel reduction(task, + : s)
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += i;
  }
  return s;
}
long loop(int n) {
  long s = 0;
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel region runs as a team of one; its loops became takt loops, its tasks latent frames
#pragma omp parallel for reduction(task, + : s)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += i;
  }
  return s;
}
void length(int n, long *a) {
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : a[:n])
  {
#pragma omp task in_reduction(+ : a[:n])
    a[n - 1] += 1;
  }
}
// What a region that may stay is left with is Clang's.
long open(int n) {
  long s = 0;
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames; it calls code of other files
#pragma omp parallel reduction(task, + : s)
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += fib(i);
  }
  return s;
}
// Other threads would combine with functions of a library.
double _Complex wide(void) {
  double _Complex z = 0;
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames [-Rpass=takt]
#pragma omp parallel reduction(task, + : z)
#pragma omp single
  {
#pragma omp task in_reduction(+ : z)
    z += 1;
  }
  return z;
}

// CHECK-LABEL: define internal void @open.omp_outlined(
// CHECK: call ptr @__kmpc_taskred_modifier_init(
// CHECK: call void @__kmpc_task_reduction_modifier_fini(
// CHECK: call i32 @__kmpc_reduce_nowait(

// CHECK-LABEL: define internal void @loop.omp_outlined.for.iteration.takt(
// CHECK: %[[GROUP:.*]] = alloca { ptr, ptr, i64, ptr }
// CHECK: store ptr @.red_comb.
// CHECK: store ptr %[[GROUP]], ptr %[[TOLD:.*]], align
// CHECK: %[[GIVEN:.*]] = load ptr, ptr %[[TOLD]],
// CHECK: store ptr %[[GIVEN]],
// CHECK: call i32 @.omp_task_entry.
// CHECK: call void @takt_omp_combine(ptr %[[GROUP]])
// CHECK: ret void

// CHECK-LABEL: define internal void @region.omp_outlined.takt(
// CHECK-NOT: @__kmpc_
// CHECK: %[[GROUP:.*]] = alloca { ptr, ptr, i64, ptr }
// CHECK-NOT: @__kmpc_
// CHECK: call void @takt_omp_loop_of_tasks(
// CHECK-NOT: @__kmpc_
// CHECK: call void @takt_omp_combine(ptr %[[GROUP]])
// CHECK: switch i32 1,
// CHECK-NOT: @__kmpc_
// CHECK: ret void

// CHECK-LABEL: define internal void @length.omp_outlined.takt(
// CHECK: store ptr @.red_init..[[INIT:[0-9]+]].takt,
// CHECK: store ptr @.red_comb..[[COMB:[0-9]+]].takt,
// CHECK: call void @takt_omp_combine(

// CHECK: define internal void @.red_init..[[INIT]].takt(ptr {{[^,]*}} %[[COPY:.*]], ptr {{[^,]*}} %{{.*}})
// CHECK-NOT: @reduction_size
// CHECK: %[[BYTES:.*]] = call i64 @takt_omp_reduced_bytes(ptr %[[COPY]])
// CHECK: udiv i64 %[[BYTES]], 8
// CHECK-NOT: @reduction_size
// CHECK: define internal void @.red_comb..[[COMB]].takt(ptr {{[^,]*}} %{{.*}}, ptr {{[^,]*}} %[[FROM:.*]])
// CHECK-NOT: @reduction_size
// CHECK: call i64 @takt_omp_reduced_bytes(ptr %[[FROM]])
// CHECK-NOT: @reduction_size

// CHECK-LABEL: define internal void @loop.omp_outlined.for.takt_slice(
// CHECK-NOT: @takt_omp_combine
// CHECK: call void @loop.omp_outlined.for.iteration.takt(
// CHECK-NOT: @takt_omp_combine
// CHECK: call i32 @takt_omp_reduce(
