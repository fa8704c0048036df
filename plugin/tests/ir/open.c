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
// Where it stays it has as many threads as it asks for.
void asks(double *a, long n, int threads) {
#pragma omp parallel for num_threads(threads)
  for (long i = 0; i < n; ++i) a[i] = work(i);
}
// CHECK: @other.omp_outlined.takt_loop = {{.*}} i64 0, i64 0, i64 5 }
// CHECK: @library.omp_outlined.takt_loop = {{.*}} i64 0, i64 0, i64 4 }
// CHECK-LABEL: define {{.*}}void @asks(
// CHECK: %[[ASKED:.*]] = zext i32 %{{.*}} to i64
// CHECK: call void @asks.omp_outlined.takt({{.*}}, i64 %[[ASKED]])
// CHECK-LABEL: define internal void @other.omp_outlined.takt(
// CHECK: call {{.*}} @__kmpc_fork_call(
// CHECK-LABEL: define internal void @library.omp_outlined.takt(
// CHECK-NOT: __kmpc
// CHECK: define internal void @asks.omp_outlined.takt({{.*}}, i64 %[[THREADS:.*]])
// CHECK: %[[NUMBER:.*]] = trunc i64 %[[THREADS]] to i32
// CHECK-NEXT: call void @__kmpc_push_num_threads(ptr {{.*}}, i32 %{{.*}}, i32 %[[NUMBER]])
// CHECK: call {{.*}} @__kmpc_fork_call(
// REMARK: [[@LINE-25]]:1: remark: the parallel loop became a takt loop; it calls code of other files
// REMARK: [[@LINE-22]]:1: remark: the parallel loop became a takt loop [-Rpass=takt]
