// A short array that is reduced: slices hand over a copy, so that the array itself may be in registers. A long one is not
// copied.
// REQUIRES: tuning
// RUN: %ir -DSIZE=4 %s | %takt | %check
// RUN: %ir -DSIZE=33 %s | %takt | %check --check-prefix=LONG
void body(const double *a, double *sums, int n) {
  double part[SIZE] = {0.0};
#pragma omp parallel for reduction(+ : part)
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < SIZE; ++k) part[k] += a[SIZE * i + k];
  }
  for (int k = 0; k < SIZE; ++k) sums[k] = part[k];
}
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK: %[[OTHER:[0-9]+]] = alloca [4 x double], align 16
// CHECK: %[[PART:[0-9]+]] = alloca [4 x double], align 16
// CHECK: store ptr %[[OTHER]], ptr
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[OTHER]], ptr align 16 %[[PART]], i64 32, i1 false)
// CHECK: call i32 @takt_omp_reduce(
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[PART]], ptr align 16 %[[OTHER]], i64 32, i1 false)

// LONG-LABEL: define internal void @body.omp_outlined.takt_slice(
// LONG: %[[PART:[0-9]+]] = alloca [33 x double], align 16
// LONG: store ptr %[[PART]], ptr
// LONG-NOT: @llvm.memcpy
// LONG: call i32 @takt_omp_reduce(
