// Of a nest that is not rectangular Clang leaves out iterations, which may be the last ones of a slice: lastprivate stays.
// RUN: %remarks %s 2>&1 | %check
void nests(int *a, int n) {
  int x = 0;
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a call
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) a[i * n + j] = x;
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it reaches a taskloop with lastprivate, and bounds that depend on the variable of another of its loops
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) lastprivate(x)
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) x = i * j;
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it has a lastprivate or linear clause, and bounds that depend on the variable of another of its loops
#pragma omp parallel for collapse(2) lastprivate(x)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) x = i * j;
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it has a lastprivate or linear clause, and bounds that depend on the variable of another of its loops
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for collapse(2) lastprivate(x) schedule(dynamic, 3)
    for (long i = n; i > 0; i -= 2)
      for (int j = 2 * i + 1; j < 3 * i; ++j) x = i * j;
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) a[i * n + j] = x;
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became
#pragma omp parallel for collapse(2) lastprivate(x)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (j < i) x = i * j;
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel
  {
#pragma omp for collapse(2)
    for (int i = 0; i < n; ++i)
      for (int j = i; j < n; ++j) a[i * n + j] = i * j;
#pragma omp for collapse(2) lastprivate(x)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) x = i * j;
  }
  a[0] = x;
}
