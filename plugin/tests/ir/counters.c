// Counters of a profile or of coverage are no effects: what is converted without them is with them, too.
// RUN: %remarks -fprofile-instr-generate -fcoverage-mapping %s 2>&1 | %check
// RUN: %remarks -fprofile-instr-generate -fprofile-update=atomic %s 2>&1 | %check
// RUN: %remarks -fprofile-generate %s 2>&1 | %check
// RUN: %remarks --coverage %s 2>&1 | %check
// RUN: %ir -fprofile-instr-generate %s | %takt | %check --check-prefix=KEPT
static long sum;
static int flag;
static void tree(int n) {
  if (n < 2) return;
#pragma omp task
  tree(n - 1);
  tree(n - 2);
#pragma omp taskwait
}
void loops(int *a, int n) {
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a call
#pragma omp parallel
#pragma omp single
  tree(n);
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    if (a[i] > 3) a[i] = i;
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (a[i] > 3) mine += i;
#pragma omp critical
    sum += mine;
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp single
    ++sum;
  }
// Nor do they end a loop that waits.
// CHECK: [[@LINE+1]]:1: remark: {{.*}}: it waits in a loop for what another thread does
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    while (flag < i) {
#pragma omp flush
    }
    flag = i + 1;
  }
}
// KEPT: define internal void @loops.omp_outlined{{.*}}.takt_slice(
// KEPT: call void @llvm.instrprof.increment(
