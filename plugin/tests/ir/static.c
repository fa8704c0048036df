// A loop of Clang's default schedule: the fork call becomes a call of the entry, which charges the credit, and calls
// the runtime when that is used up; the slice asks for chunks.
// RUN: %ir %s | %takt | %check
void body(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = i;
}
// CHECK: @body.omp_outlined.takt_site = internal global { i32, i32, i64, i64, i64 } { i32 1073741824, i32 0, i64 0, i64 -1, i64 0 }
// CHECK: @body.omp_outlined.takt_loop = internal constant
// CHECK-LABEL: define {{.*}}void @body(
// CHECK-NOT: @__kmpc_fork_call(
// CHECK: call void @body.omp_outlined.takt(i32 %{{.*}}, ptr %{{.*}})
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK-NOT: __kmpc
// CHECK-NOT: @takt_omp_chunks(
// CHECK: call void @takt_omp_begin(ptr %1, ptr null)
// CHECK: call { i64, i64 } @takt_loop_next(ptr %1)
// CHECK: call i32 @takt_omp_end(ptr %1)
// CHECK-LABEL: define internal void @body.omp_outlined.takt(i32 %0, ptr %1)
// CHECK-NOT: __kmpc
// CHECK: load atomic i64, ptr getelementptr {{.*}}@body.omp_outlined.takt_site, i64 8) monotonic
// CHECK: icmp uge i64
// CHECK: load atomic i32, ptr @body.omp_outlined.takt_site monotonic
// CHECK: asm sideeffect "subq $1, %fs:16($2)"
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr {{.*}}@body.omp_outlined.takt_loop,
// CHECK: call void @takt_omp_run(ptr {{.*}}@body.omp_outlined.takt_loop,
// CHECK-NOT: __kmpc
