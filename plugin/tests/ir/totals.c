// A reduction over a whole region: each loop that adds to it gets a reduction of its own into the region's copy, and the
// region combines that once.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
long body(const int *a, long n, long *most) {
  long sum = 3, m = *most;
#pragma omp parallel reduction(+ : sum) reduction(max : m)
  {
#pragma omp for nowait
    for (long i = 0; i < n; ++i) sum -= a[i];
#pragma omp for
    for (long i = 0; i < n; ++i) {
      sum += i * a[i];
      if (a[i] > m) m = a[i];
    }
#pragma omp single
    sum++;
  }
  *most = m;
  return sum;
}
// REMARK: [[@LINE-15]]:1: remark: the parallel region runs as a team of one
// CHECK-LABEL: define internal void @body.omp_outlined(
// CHECK: %[[SUM:.*]] = alloca i64, align 8
// CHECK: %[[MOST:.*]] = alloca i64, align 8
// CHECK: store i64 0, ptr %[[SUM]]
// CHECK: store i64 -9223372036854775808, ptr %[[MOST]]
// CHECK-NOT: __kmpc
// CHECK: call void @body.omp_outlined.for.takt({{.*}}ptr %[[SUM]])
// CHECK: call void @body.omp_outlined.for.{{[0-9]+}}.takt({{.*}}ptr %[[SUM]], ptr %[[MOST]])
// CHECK: add nsw i64 %{{.*}}, 1
// CHECK: %[[MINE:.*]] = load i64, ptr %[[SUM]]
// CHECK-NEXT: add nsw i64 %{{.*}}, %[[MINE]]
// CHECK: ret void
// CHECK-LABEL: define internal void @body.omp_outlined.for.combine(
// CHECK: add nsw i64
// CHECK-LABEL: define internal void @body.omp_outlined.for.{{[0-9]+}}.combine(
// CHECK: add nsw i64
// CHECK: icmp sgt i64
// CHECK: select i1
// CHECK-LABEL: define internal void @body.omp_outlined.for.{{[0-9]+}}.takt_slice(
// CHECK: store i64 0, ptr %[[OWN:.*]], align 8
// CHECK: store i64 -9223372036854775808, ptr
// CHECK: call i32 @takt_omp_reduce({{.*}}, ptr @body.omp_outlined.for.{{[0-9]+}}.combine)
