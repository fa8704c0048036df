// A loop in which another one starts is always run by the runtime: its entry has neither a charge nor the inner loop.
// RUN: %ir %s | %takt | %check
void body(double *a, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int k = 0; k < m; ++k) a[i * m + k] *= 7.25;
  }
}
// CHECK-LABEL: define {{.*}}void @body(
// CHECK: call void @body.omp_outlined.takt(
// The inner loop's entry and slice are the two places where its body is.
// CHECK-COUNT-2: fmul double {{.*}}, 7.250000e+00
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK: call void @body.omp_outlined.omp_outlined.takt(
// CHECK-LABEL: define internal void @body.omp_outlined.takt(
// CHECK-NOT: subq
// CHECK-NOT: body.omp_outlined.omp_outlined
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr {{.*}}@body.omp_outlined.takt_loop,
// CHECK: call void @takt_omp_run(ptr {{.*}}@body.omp_outlined.takt_loop,
// CHECK-NOT: body.omp_outlined.omp_outlined
