// A signed loop with a variable lower bound may have more than 2^31 iterations, and its index is then not what the
// 64-bit sum says: such a loop is left to the OpenMP runtime.
// RUN: %ir %s | %takt | %check
double body(const double *a, int first, int end) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = first; i < end; ++i) s += a[i];
  return s;
}
// CHECK: @body.omp_outlined.takt_parts = internal constant [1 x { i64, i64 }] [{ i64, i64 } { i64 0, i64 8 }]
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK: %[[CELLS:.*]] = alloca [16 x i8]
// CHECK: call void @takt_omp_begin(ptr %1, ptr %[[CELLS]])
// CHECK: add nsw i64 %{{.*}}, %{{.*}}
// CHECK-NOT: sext i32
// CHECK: getelementptr inbounds double
// CHECK: call i32 @takt_omp_reduce(ptr %1, ptr %{{.*}}, ptr @body.omp_outlined.omp.reduction.reduction_func)
// CHECK-NOT: atomicrmw
// CHECK-LABEL: define internal void @body.omp_outlined.takt(
// CHECK: icmp uge i64 %{{.*}}, 2147483648
// CHECK: call {{.*}} @takt_omp_run(
// CHECK: call {{.*}} @__kmpc_fork_call(
// CHECK-NOT: atomicrmw
