// A region with several constructs runs as a team of one: it is called, what tells threads apart is gone, and each
// loop is started as a region of its own.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
void body(int *a, int n) {
  int sent = 1;
#pragma omp parallel firstprivate(sent)
  {
    int j;
#pragma omp for
    for (int i = 0; i < n; ++i)
      for (j = 0; j < 3; ++j) a[i] = j;
#pragma omp single copyprivate(sent)
    sent = a[0];
#pragma omp master
    a[1] = 2;
#pragma omp barrier
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < n; ++i) a[i] = sent;
  }
}
// REMARK: [[@LINE-15]]:1: remark: the parallel region runs as a team of one; its loops became takt loops
// REMARK: [[@LINE-13]]:1: remark: the parallel loop became a takt loop
// REMARK: [[@LINE-6]]:1: remark: the parallel loop became a takt loop
// CHECK-NOT: @__kmpc_{{.*}}(
// CHECK-LABEL: define {{.*}}void @body(
// CHECK: call void @body.omp_outlined(ptr %[[N:.*]], ptr %[[N]], ptr %{{.*}}, ptr %{{.*}}, i64 %{{.*}})
// CHECK-LABEL: define internal void @body.omp_outlined(
// CHECK: call void @body.omp_outlined.for.takt(
// CHECK: call void @body.omp_outlined.for.{{[0-9]+}}.takt(
// CHECK: ret void

// What code of other files does is not known before the program runs: the region is kept as it was, too.
void open_code(int);
void open_region(int *a, int n, int c) {
#pragma omp parallel if (c > 3) num_threads(c)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp single
    open_code(n);
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += 1;
  }
}
// CHECK-LABEL: define {{.*}}void @open_region(
// CHECK: call i1 @takt_omp_may_convert()
// CHECK: icmp eq i32 %{{.*}}, 1
// CHECK: call void @__kmpc_push_num_threads(
// CHECK-NEXT: call {{.*}}@__kmpc_fork_call({{.*}}, ptr @[[KEPT:open_region.omp_outlined[.0-9]*]],
// CHECK: call void @__kmpc_serialized_parallel(
// CHECK: call void @[[KEPT]](
// CHECK: call void @__kmpc_end_serialized_parallel(
