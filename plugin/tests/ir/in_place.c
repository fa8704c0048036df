// Where a loop is written, its sum starts from the program's variable, and is stored back: nothing is combined. One
// with an operator that the program declares starts from the operator's identity.
// RUN: %ir %s | %takt | %check
struct largest { double value; };
static void larger(struct largest *out, const struct largest *in) {
  if (in->value > out->value) *out = *in;
}
#pragma omp declare reduction(largest : struct largest : larger(&omp_out, &omp_in)) \
    initializer(omp_priv = (struct largest){-1.0})
void body(const double *a, int n, int m, double *sum, struct largest *most, float *counts) {
#pragma omp parallel for
  for (int k = 0; k < m; ++k) {
    double s = sum[k];
    int least = n;
#pragma omp parallel for reduction(+ : s) reduction(min : least) reduction(+ : counts[ : 7])
    for (int i = 0; i < n; ++i) {
      s += a[i];
      if (a[i] < least) least = (int)a[i];
      counts[i % 7] += 1.0f;
    }
    sum[k] = s + least;
    struct largest mine = most[k];
#pragma omp parallel for reduction(largest : mine)
    for (int i = 0; i < n; ++i) {
      struct largest one = {a[i]};
      larger(&mine, &one);
    }
    most[k] = mine;
  }
}
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// What has asked runs in a slice, whatever the answer: nothing of the loop lives across the question.
// CHECK: %[[WAY:.*]] = call i32 @takt_omp_ask(
// CHECK-NOT: icmp
// CHECK: call void @takt_omp_run({{.*}}, i32 %[[WAY]])
// CHECK: br label
// CHECK: br label
// CHECK: %[[OLD:.*]] = load double, ptr %[[SUM:.*]], align 8
// CHECK-NEXT: store double %[[OLD]], ptr %[[MINE:.*]], align 8
// CHECK-NEXT: load i32
// CHECK-NEXT: store i32
// CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[COUNTS:.*]], ptr align 4 %{{.*}}, i64 28, i1 false)
// CHECK: store ptr %[[COUNTS]], ptr
// CHECK: %[[NEW:.*]] = load double, ptr %[[MINE]]
// CHECK-NEXT: store double %[[NEW]], ptr %[[SUM]]
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 4 %{{.*}}, ptr align 16 %[[COUNTS]], i64 28, i1 false)
// CHECK-NOT: fadd double
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.1.takt(
// CHECK: call i32 @takt_omp_ask(
// CHECK: call void @.omp_combiner.
