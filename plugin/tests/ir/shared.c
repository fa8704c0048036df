// Where a call is nothing beside the loop, the slice is all there is of it: an outermost loop, one with long iterations, one
// in the middle of a nest. A short row is written where it starts.
// RUN: %ir %s | %takt | %check
double outermost(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += a[i] * 2.5;
  return s;
}
// CHECK-LABEL: define internal void @outermost.omp_outlined.takt_slice(
// CHECK: @llvm.fmuladd
// CHECK-LABEL: define internal void @outermost.omp_outlined.takt(
// CHECK-NOT: @llvm.fmuladd
// CHECK: %[[WAY:.*]] = alloca i32
// CHECK: store i32 0, ptr %[[WAY]]
// CHECK: load atomic i64, ptr getelementptr {{.*}}@outermost.omp_outlined.takt_site, i64 8) monotonic
// CHECK: asm sideeffect "subq $1, %fs:16($2)"
// CHECK: %[[ASKED:.*]] = call i32 @takt_omp_ask(ptr {{.*}}@outermost.omp_outlined.takt_loop,
// CHECK-NEXT: store i32 %[[ASKED]], ptr %[[WAY]]
// CHECK: %[[HOW:.*]] = load i32, ptr %[[WAY]]
// CHECK: call void @takt_omp_run(ptr {{.*}}@outermost.omp_outlined.takt_loop, ptr {{.*}}%{{.*}}, i64 %{{.*}}, i32 %[[HOW]])
// CHECK-NOT: @llvm.fmuladd
// CHECK: {{^}}}

void leaves(double *a, const int *first, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int k = first[i]; k < first[i + 1]; ++k) a[k] *= 3.5;
#pragma omp parallel for
    for (int k = first[i]; k < first[i + 1]; ++k) {
      for (int j = 0; j < n; ++j) a[k] *= 4.5;
    }
  }
}
// CHECK-LABEL: define internal void @leaves.omp_outlined.omp_outlined.takt(
// CHECK: fmul double %{{.*}}, 3.5
// CHECK-LABEL: define internal void @leaves.omp_outlined.omp_outlined.1.takt(
// CHECK-NOT: fmul double
// CHECK: call void @takt_omp_run(
// CHECK-NOT: fmul double
// CHECK: {{^}}}

// The private copy of a large array costs more than the loop may.
void large(float *a, int n) {
  float count[2000] = {0.0f};
#pragma omp parallel for reduction(+ : count)
  for (int i = 0; i < n; ++i) count[i % 2000] += 5.5f;
  for (int i = 0; i < 2000; ++i) a[i] = count[i];
}
// CHECK-LABEL: define internal void @large.omp_outlined.takt(
// CHECK: call void @takt_omp_run(
// CHECK: fadd float %{{.*}}, 5.5
