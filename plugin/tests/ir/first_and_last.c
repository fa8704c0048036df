// firstprivate and lastprivate of one variable: no slice may write the variable before all have read it, so that what
// the loop leaves goes through a variable of the region.
// RUN: %ir %s | %takt | %check
int body(int *a, int n, int both) {
#pragma omp parallel for firstprivate(both) lastprivate(both)
  for (int i = 0; i < n; ++i) {
    a[i] = both;
    if (i == n - 1) both = i;
  }
  return both;
}
// CHECK-LABEL: define internal void @body.omp_outlined(
// CHECK: %[[ROOM:.*]] = alloca [4 x i8], align 16
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[ROOM]], ptr align 1 %[[BOTH:.*]], i64 4,
// CHECK-NOT: __kmpc
// CHECK: call void @body.omp_outlined.for.takt(
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 1 %[[BOTH]], ptr align 16 %[[ROOM]], i64 4,
// CHECK: ret void
