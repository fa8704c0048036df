// A loop in the middle of a nest runs where it is written while its site grants that; loops of few iterations, whose
// number is known, are part of it there. Slices of it ask for each.
// RUN: %ir %s | %takt | %check
void body(double *a, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int k = 0; k < m; ++k) {
#pragma omp parallel for
      for (int f = 0; f < 8; ++f) a[(i * m + k) * 8 + f] *= 7.25;
    }
  }
}
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt_slice(
// CHECK: call void @body.omp_outlined.omp_outlined.omp_outlined.takt(
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// CHECK: load atomic i64, ptr getelementptr {{.*}}@body.omp_outlined.omp_outlined.takt_site, i64 8) monotonic
// CHECK-NOT: subq
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr @body.omp_outlined.omp_outlined.takt_loop,
// CHECK: call void @body.omp_outlined.omp_outlined.omp_outlined.takt_serial(
// CHECK-LABEL: define internal void @body.omp_outlined.takt(
// CHECK-NOT: body.omp_outlined.omp_outlined
