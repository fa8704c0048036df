// Loops count in the values of the program's variable: no sum with the first value is left, the test is a signed one,
// and nothing says how many iterations there may be.
// RUN: %ir %s | %takt | %check
void body(const double *a, const int *first, double *sum, int n) {
#pragma omp parallel for
  for (int k = 0; k < n; ++k) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = first[k]; i < first[k + 1]; ++i) s += a[i];
    sum[k] = s;
  }
}
// CHECK: @body.omp_outlined.omp_outlined.takt_parts = internal constant [1 x { i64, i64 }] [{ i64, i64 } { i64 0, i64 8 }]
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt_slice(
// CHECK: %[[CELLS:.*]] = alloca [128 x i8]
// CHECK: call void @takt_omp_begin(ptr %1, ptr %[[CELLS]])
// CHECK: %[[PAST:.*]] = add i32 %{{.*}}, 1
// CHECK: %[[AFTER:.*]] = add i32 %[[FIRST:.*]], %[[PAST]]
// CHECK: store i32 %[[AFTER]], ptr %[[END:.*]], align
// CHECK: add i32 %[[FIRST]], %{{.*}}
// CHECK: %[[BOUND:.*]] = load i32, ptr %[[END]]
// CHECK: icmp slt i32 %{{.*}}, %[[BOUND]]
// CHECK-NOT: = mul i32
// CHECK: getelementptr inbounds double
// CHECK: add nsw i32 %{{.*}}, 1
// CHECK: call i32 @takt_omp_reduce(ptr %1, ptr %{{.*}}, ptr @body.omp_outlined.omp_outlined.omp.reduction.reduction_func)
// CHECK-NOT: atomicrmw
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// CHECK-NOT: 2147483648
// CHECK: call {{.*}} @takt_omp_ask(
// CHECK: call {{.*}} @takt_omp_run(
// CHECK-NOT: @__kmpc_fork_call(
// CHECK-NOT: atomicrmw
// CHECK: add nsw i32 %{{.*}}, 1
