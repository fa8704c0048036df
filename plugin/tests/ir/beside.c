// What stands beside the loops of a region: what all threads write, and shares that they add up in turn.
// RUN: %remarks %s 2>&1 | %check
// RUN: %ir %s | %takt | %check --check-prefix=IR
static long global, *pointer;
void other_file(void);

void written(long *a, int n) {
  long x = 0;
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel
  {
    x = n;
    global = 3;
    pointer[2] = 4;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = x;
  }
}
// IR-LABEL: define internal void @written.omp_outlined(
// IR: store i64 3, ptr @global
// IR: call void @written.omp_outlined.for.takt(
// IR: ret void
void added(long *a, int n, long *sum) {
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine += a[i];
#pragma omp critical
    *sum += mine;
  }
}
// IR-LABEL: define internal void @added.omp_outlined(
// IR: call void @added.omp_outlined.for.takt(
// IR: call void @takt.critical(
// IR: ret void
// IR-LABEL: define internal void @added.omp_outlined.for.combine(

// In turn, each more than its share: each who takes part does that.
void in_turn(long *a, int n, long *sum) {
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += a[i];
#pragma omp critical
    *sum += mine + 1;
#pragma omp barrier
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long mine = n;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += a[i];
#pragma omp critical
    *sum += mine;
#pragma omp barrier
  }
// What a thread's own pointer points to may be its own.
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    long *mine = a;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
    if (n > 4) mine = pointer;
    mine[0] = 3;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += i;
  }
}
// The address of a variable of each thread, as a number.
static unsigned long number;
static void publish(int *p) { number = (unsigned long)p; }
void a_number(int *a, int n) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime
#pragma omp parallel
  {
    int box = 0;
#pragma omp master
    publish(&box);
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) {
      box = 9;
      a[i] = box;
    }
#pragma omp master
    a[n] = *(int *)number;
  }
}
