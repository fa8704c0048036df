// Inside another loop, one of few iterations, whose number is known, is the loop that it is without OpenMP. Neither is one
// with many, nor one that calls what is not known to be short, nor an outermost one.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
static double walk(const double *a, int n) { return n == 0 ? 0.0 : *a + walk(a + 1, n - 1); }
void body(double *a, int n) {
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel loop became a plain loop: it is inside another one, and always short
#pragma omp parallel for
    for (int k = 0; k < 5; ++k) {
      double s = 0;
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel loop became a plain loop
#pragma omp parallel for reduction(+ : s)
      for (int j = 0; j < 16; ++j) s += a[5 * i + j];
      a[5 * i + k] *= s;
    }
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
    for (int k = 0; k < 1000; ++k) a[i + k] += 7.25;
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
    for (int k = 0; k < 5; ++k) a[i + k] += walk(a, 30);
  }
// REMARK-DAG: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int k = 0; k < 5; ++k) a[k] += 8.25;
}
// CHECK-COUNT-4: .takt_site = internal global
// CHECK-NOT: .takt_site = internal global
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt_serial(
// CHECK-NOT: takt_omp
// CHECK: call void @body.omp_outlined.omp_outlined.omp_outlined.takt_serial(
// CHECK-NOT: takt_omp
// CHECK: ret void
