// Arrays that each thread's iterations count into, added up in a critical section: the loop gets a reduction.
// RUN: %ir %s | %takt | %check
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
enum { many = 4 };

// REMARK: [[@LINE+2]]:1: remark: the parallel region runs as a team of one
void counts(const int *key, int n, long *total, double *sum) {
#pragma omp parallel
  {
    long mine[many] = {0};
    double more[2][many];
    for (int k = 0; k < many; ++k) more[0][k] = more[1][k] = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      mine[key[i]] += 3;
      more[i & 1][key[i]] -= key[i];
    }
#pragma omp critical
    for (int k = 0; k < many; ++k) {
      total[k] += mine[k];
      *sum += more[1][k];
    }
  }
}
// CHECK-LABEL: define internal void @counts.omp_outlined(
// CHECK: %[[MINE:.*]] = alloca [4 x i64]
// CHECK: %[[MORE:.*]] = alloca [2 x [4 x double]]
// CHECK: call void @llvm.memset{{.*}}(ptr align 16 %[[MINE]], i8 0, i64 32
// CHECK: call void @counts.omp_outlined.for.takt({{.*}}ptr %[[MINE]], ptr %[[MORE]])
// CHECK: call void @__kmpc_critical
// CHECK: ret void
// CHECK-LABEL: define internal void @counts.omp_outlined.combine_array(ptr %0, ptr %1)
// CHECK: %[[AT:.*]] = phi i64
// CHECK: %[[VARIABLE:.*]] = getelementptr inbounds i64, ptr %0, i64 %[[AT]]
// CHECK: %[[COPY:.*]] = getelementptr inbounds i64, ptr %1, i64 %[[AT]]
// CHECK: add nsw i64
// CHECK: store i64 %{{.*}}, ptr %[[VARIABLE]]
// CHECK: icmp ult i64 %{{.*}}, 4
// CHECK-LABEL: define internal void @counts.omp_outlined.combine_array.{{[0-9]+}}(
// CHECK: fadd double
// CHECK: icmp ult i64 %{{.*}}, 8
// CHECK-LABEL: define internal void @counts.omp_outlined.for.takt_slice(
// CHECK: call void @llvm.memset
// CHECK: call i32 @takt_omp_reduce(
// CHECK: call void @counts.omp_outlined.combine_array(

// Clang says of dynamic schedules that no iteration touches what another one does. LLVM would believe it.
// REMARK: [[@LINE+2]]:1: remark: the parallel region runs as a team of one
void dynamic(const int *key, int n, long *total) {
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < n; ++i) mine[key[i]] += 3;
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
}
// CHECK-LABEL: define internal void @dynamic.omp_outlined.for.takt_slice(
// CHECK-NOT: !llvm.access.group
// CHECK: ret void
// CHECK-LABEL: define internal void @dynamic.omp_outlined.for.takt(
// CHECK-NOT: !llvm.access.group
// CHECK: ret void

// More than sums of shares.
void stays(const int *key, int n, long *total) {
// Set by one loop, in part.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long mine[many];
    for (int k = 1; k < many; ++k) mine[k] = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key[i]]++;
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
// Read beside the section.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long mine[many] = {0}, first = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key[i]]++;
    first = mine[0];
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
// Written in another way than by adding.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) {
      mine[key[i]]++;
      if (key[i] == 0) mine[1] = i;
    }
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
// An element is added to another one.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key[i]] += mine[0] + 1;
#pragma omp critical
    for (int k = 0; k < many; ++k) total[k] += mine[k];
  }
// The section does something for some threads only.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key[i]]++;
#pragma omp critical
    for (int k = 0; k < many; ++k) {
      if (mine[k] > 2) total[k] += mine[k];
    }
  }
// The share says to what it is added: each who takes part does that.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine += key[i];
#pragma omp critical
    total[mine % 2] += mine;
  }
// What other threads have added decides.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long mine[many] = {0};
#pragma omp for
    for (int i = 0; i < n; ++i) mine[key[i]]++;
#pragma omp critical
    for (int k = 0; k < total[0]; ++k) total[k] += mine[k];
  }
}
// REMARK-NOT: stays with
