// A loop in the middle of a nest may run in place while its site grants that. One that outermost loops start is called
// then; further in, it is written where it starts.
// RUN: %ir %s | %takt | %check
void body(double *a, int n, int m, int l) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int k = 0; k < m; ++k) {
#pragma omp parallel for
      for (int j = 0; j < m; ++j) {
#pragma omp parallel for
        for (int f = 0; f < l; ++f) a[((i * m + k) * m + j) * l + f] *= 7.25;
      }
    }
  }
}
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.omp_outlined.takt_slice(
// CHECK: call void @body.omp_outlined.omp_outlined.omp_outlined.omp_outlined.takt(
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.omp_outlined.takt(
// CHECK: load atomic i64, ptr getelementptr {{.*}}@body.omp_outlined.omp_outlined.omp_outlined.takt_site, i64 8) monotonic
// CHECK-NOT: subq
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr {{.*}}@body.omp_outlined.omp_outlined.omp_outlined.takt_loop,
// CHECK: call void @body.omp_outlined.omp_outlined.omp_outlined.omp_outlined.takt(
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// CHECK: load atomic i64, ptr getelementptr {{.*}}@body.omp_outlined.omp_outlined.takt_site, i64 8) monotonic
// CHECK-NOT: subq
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr {{.*}}@body.omp_outlined.omp_outlined.takt_loop,
// CHECK-NOT: call void @body.omp_outlined.omp_outlined.omp_outlined
// CHECK: {{^}}}
// CHECK-LABEL: define internal void @body.omp_outlined.takt(
// CHECK-NOT: body.omp_outlined.omp_outlined
