// What takt answers is never beyond the last iteration, and is not cut at it. Chunks that are dealt out in turn are.
// RUN: %ir %s | %takt | %check
void body(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = i;
}
void dealt(double *a, int n) {
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < n; ++i) a[i] = i;
}
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK: call { i64, i64 } @takt_loop_next(
// CHECK-NOT: icmp sgt
// CHECK: br i1 false
// CHECK-NOT: icmp sgt
// CHECK: call i32 @takt_omp_end(
// CHECK-LABEL: define internal void @dealt.omp_outlined.takt_slice(
// CHECK: call { i64, i64 } @takt_loop_next(
// CHECK-NOT: br i1 false
// CHECK: icmp sgt
// CHECK-NOT: br i1 false
// CHECK: call i32 @takt_omp_end(
