// Both loops of a prefix sum are converted; what combines between them is run by one thread. Clang leaves blocks in each
// loop that nothing leads to, with the statements of the other.
// RUN: %ir -fopenmp-version=51 %s | %takt | %check
// RUN: %remarks -fopenmp-version=51 %s 2>&1 | %check --check-prefix=REMARK
void sums(long *v, long *out, int n) {
  long sum = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < n; ++i) {
    sum += v[i];
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
}
// CHECK-NOT: call {{.*}}@__kmpc_
// CHECK: define internal void @sums.omp_outlined.for.takt_slice(
// CHECK-NOT: call {{.*}}@__kmpc_
// CHECK: define internal void @sums.omp_outlined.for{{.*}}.takt_slice(
// CHECK-NOT: call {{.*}}@__kmpc_
