// Dynamic schedules: where the program asks the OpenMP runtime for a chunk, the slice asks takt.
// RUN: %ir %s | %takt | %check
void body(double *a, long n) {
#pragma omp parallel for schedule(dynamic, 3)
  for (long i = 0; i < n; ++i) a[i] = 1;
}
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK-NOT: __kmpc
// CHECK: call void @takt_omp_chunks(ptr %1, i64 3)
// CHECK: call void @takt_omp_begin(
// CHECK: call { i64, i64 } @takt_loop_next(
// CHECK: call i32 @takt_omp_end(
// CHECK: phi i32 [ 1, %takt.more ], [ 0, %takt.done ]
// CHECK-LABEL: define internal void @body.omp_outlined.takt(
// CHECK: call { i64, i1 } @llvm.smul.with.overflow.i64
// CHECK-NOT: __kmpc
