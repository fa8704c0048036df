// if(...) that is false and num_threads(1) promise that the iterations run in order: they never leave the fast path.
// RUN: %ir %s | %takt | %check
void body(double *a, int n, int c) {
#pragma omp parallel for if (c > 3)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for num_threads(c)
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < n; ++i) a[i] = i;
}
// CHECK-LABEL: define {{.*}}void @body(
// CHECK-NOT: __kmpc
// CHECK: call void @body.omp_outlined.takt(
// CHECK-NOT: __kmpc
// CHECK: call void @body.omp_outlined.takt_serial(
// CHECK-NOT: __kmpc
// CHECK: icmp eq i32 %{{.*}}, 1
// CHECK: call void @body.omp_outlined.1.takt_serial(
// CHECK: call void @body.omp_outlined.1.takt(
// CHECK: call void @body.omp_outlined.2.takt(
// CHECK-NOT: __kmpc
// CHECK: ret void
// CHECK-LABEL: define internal void @body.omp_outlined.takt_serial(
// CHECK-NOT: takt_omp
// CHECK: ret void
