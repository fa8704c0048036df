// What another file's code does is not known: the loop keeps the way to the OpenMP runtime. What the C library does is.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
#include <math.h>
double work(int i);
void other(double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) a[i] = work(i);
}
void library(double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) a[i] = sin(a[i]);
}
// CHECK: @other.omp_outlined.takt_loop = {{.*}} i64 0, i64 0, i64 5 }
// CHECK: @library.omp_outlined.takt_loop = {{.*}} i64 0, i64 0, i64 4 }
// CHECK-LABEL: define internal void @other.omp_outlined.takt(
// CHECK: call {{.*}} @__kmpc_fork_call(
// CHECK-LABEL: define internal void @library.omp_outlined.takt(
// CHECK-NOT: __kmpc
// REMARK: [[@LINE-13]]:1: remark: the parallel loop became a takt loop; it calls code of other files
// REMARK: [[@LINE-10]]:1: remark: the parallel loop became a takt loop [-Rpass=takt]
