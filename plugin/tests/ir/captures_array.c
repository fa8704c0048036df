// A small array that only loops know is copied where a loop leaves its place; everywhere else it may be in registers.
// RUN: %ir %s | %takt | %check
void body(const double *a, double *y, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double part[4] = {0.0};
#pragma omp parallel for
    for (int k = 0; k < m; ++k) part[k & 3] += a[m * i + k];
    y[i] = part[0] * part[1] + part[2] * part[3];
  }
}
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// CHECK-SAME: ptr noundef nonnull align 8 dereferenceable(32) %[[PART:[0-9]+]]
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[COPY:.*]], ptr align 16 %[[PART]], i64 32, i1 false)
// CHECK: store ptr %[[COPY]], ptr
// CHECK: call void @takt_omp_run(
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[PART]], ptr align 16 %[[COPY]], i64 32, i1 false)
