// What Clang 19 gets wrong is put right, also where the region stays with the OpenMP runtime.
// RUN: %ir -fopenmp-version=51 %s | %takt | %check
int omp_get_team_num(void);
// The number of iterations: (n + 1) / 2, where Clang has (n - 4294967295) / 2.
// CHECK-LABEL: define internal void @narrow.omp_outlined(
// CHECK: %[[OVER:.*]] = sub i64 %{{.*}}, -1
// CHECK-NEXT: %[[COUNT:.*]] = udiv i64 %[[OVER]], 2
// CHECK-NEXT: trunc i64 %[[COUNT]] to i32
void narrow(int *a, unsigned long n) {
#pragma omp parallel for
  for (unsigned i = 0; i < n; i += 2) a[i] = omp_get_team_num();
}
// The program's own arithmetic is as it was.
// CHECK-LABEL: define internal void @own.omp_outlined(
// CHECK: sub i64 %{{.*}}, 4294967295
// CHECK-NEXT: udiv i64 %{{.*}}, 2
void own(int *a, unsigned long n) {
#pragma omp parallel for
  for (unsigned i = 3; i < 100; i += 2) a[i] = (n - 4294967295ul) / 2 + omp_get_team_num();
}
// Behind a scan of no iterations the variable is as it was.
// CHECK-LABEL: define dso_local void @scan(
// CHECK: %[[NONE:.*]] = icmp eq i64 %{{.*}}, 0
// CHECK-NEXT: %[[FROM:.*]] = select i1 %[[NONE]], ptr %[[SUM:.*]], ptr
// CHECK-NEXT: %[[TOTAL:.*]] = load i64, ptr %[[FROM]]
// CHECK-NEXT: store i64 %[[TOTAL]], ptr %[[SUM]]
// A scan of less than two iterations has no rounds.
// CHECK-LABEL: define internal void @scan.omp_outlined(
// CHECK: call double @llvm.log2.f64(
// CHECK: %[[MORE:.*]] = icmp ugt i64 %{{.*}}, 1
// CHECK-NEXT: br i1 %[[MORE]],
void scan(long *v, long *out, int n) {
  long sum = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    sum += v[i] + omp_get_team_num();
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
}
