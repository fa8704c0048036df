// A copy is aligned as the variable is, which may be more than its type in LLVM asks for.
// RUN: %ir %s | %takt | %check
struct part {
  _Alignas(64) double x[4];
};
void body(const double *a, double *y, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    struct part part = {{0.0}};
#pragma omp parallel for
    for (int k = 0; k < m; ++k) part.x[k & 3] += a[m * i + k];
    y[i] = part.x[0] * part.x[1] + part.x[2] * part.x[3];
  }
}
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// CHECK-SAME: ptr noundef nonnull align 64 dereferenceable(64) %[[PART:[0-9]+]]
// CHECK: %[[COPY:.*]] = alloca %struct.part, align 64
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 64 %[[COPY]], ptr align 64 %[[PART]], i64 64, i1 false)
