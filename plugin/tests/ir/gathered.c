// Constructs in functions that a region calls: they are put into it. The functions stay for others.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
int omp_get_thread_num(void);
void other_file(void);
void shared_out(int *a, int n) {
#pragma omp for
  for (int i = 0; i < n; ++i) a[i] = i;
}
static void twice(int *a, int n) {
  shared_out(a, n);
#pragma omp single
  a[0] = 3;
  shared_out(a, n);
}
// CHECK-LABEL: define {{.*}}void @shared_out(
// CHECK: call void @__kmpc_for_static_init_4(
void region(int *a, int n) {
#pragma omp parallel
  twice(a, n);
}
// REMARK: [[@LINE-3]]:1: remark: the parallel region runs as a team of one; its loops became takt loops
// REMARK: :7:1: remark: the parallel loop became a takt loop
// REMARK: :7:1: remark: the parallel loop became a takt loop
// CHECK-LABEL: define {{.*}}void @region(
// CHECK: call void @region.omp_outlined(
// CHECK-LABEL: define internal void @region.omp_outlined(
// CHECK-NOT: @__kmpc_
// CHECK: call void @region.omp_outlined.for.takt(
// CHECK: store i32 3
// CHECK: call void @region.omp_outlined.for.{{[0-9]+}}.takt(
// CHECK: ret void

// One loop, and nothing else: as if it stood there.
void one_loop(int *a, int n) {
#pragma omp parallel
  shared_out(a, n);
}
// REMARK: [[@LINE-3]]:1: remark: the parallel loop became a takt loop
// CHECK-LABEL: define {{.*}}void @one_loop(
// CHECK: call void @one_loop.omp_outlined.takt(

// What the first thread does alone.
void first_thread(int *a, int n, int told) {
#pragma omp parallel
  {
    int thread = omp_get_thread_num();
    if (told && thread == 0) a[n] = 1;
    shared_out(a, n);
    if (omp_get_thread_num() == 0) a[n] = 2;
  }
}
// REMARK: [[@LINE-8]]:1: remark: the parallel region runs as a team of one; its loops became takt loops
// CHECK-LABEL: define internal void @first_thread.omp_outlined(
// CHECK-NOT: @omp_get_thread_num
// CHECK: ret void

// Such regions are what Clang makes of them.
static void again(int *a, int n) {
#pragma omp for
  for (int i = 0; i < n; ++i) a[i] += n;
  if (n > 4) again(a, n / 2);
}
void recursive(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it is not a loop
#pragma omp parallel
  again(a, n);
}
// CHECK-LABEL: define internal void @recursive.omp_outlined
// CHECK: call void @again(
void what_others_do(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      a[n] = 1;
    } else {
      other_file();
    }
    shared_out(a, n);
  }
}
// CHECK-LABEL: define internal void @what_others_do.omp_outlined
// CHECK: call i32 @omp_get_thread_num
// CHECK: call void @shared_out(
void each_counts(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel
  {
#pragma omp critical
    a[n]++;
    twice(a, n);
  }
}
// CHECK-LABEL: define internal void @each_counts.omp_outlined
// CHECK: call void @twice(
void waits(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n; ++i) {
    while (a[i - 1] == 0) {
#pragma omp flush
    }
    a[i] = 1;
  }
}
void atomically(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it waits in a loop for what another thread does
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n; ++i) {
    while (__atomic_load_n(&a[i - 1], __ATOMIC_ACQUIRE) == 0) {
    }
    a[i] = 1;
  }
}
// What the test comes to is used behind it.
void is_first_and_loud(int *a, int n, int loud) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime
#pragma omp parallel
  {
    int me = omp_get_thread_num() == 0 && loud;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += me;
    shared_out(a, n);
  }
}
// CHECK-LABEL: define internal void @is_first_and_loud.omp_outlined
// CHECK: call i32 @omp_get_thread_num
// CHECK: call void @shared_out(
void in_itself(int *a, int n) {
#pragma omp for
  for (int i = 0; i < n; ++i) a[i] += n;
  if (n > 4) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime
#pragma omp parallel
    in_itself(a, n / 2);
  }
}
