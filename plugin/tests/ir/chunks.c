// Chunks that stay on one thread: the slice says how long they are, before anything can be promoted. Those of other
// schedules may be parted.
// RUN: %ir %s | %takt | %check
void dynamic(double* a, int n, int c) {
#pragma omp parallel for schedule(dynamic, c)
  for (int i = 0; i < n; ++i) a[i] = 1;
}
// CHECK-LABEL: define internal void @dynamic.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: %[[CHUNK:.*]] = sext i32 %{{.*}} to i64
// CHECK-NEXT: call void @takt_omp_chunks(ptr %1, i64 %[[CHUNK]])
// CHECK-NEXT: call void @takt_omp_begin(
// CHECK-LABEL: define internal void @dynamic.omp_outlined.takt(
// CHECK-NOT: @takt_omp_chunks(
void in_turn(double* a, unsigned long n, unsigned long c) {
#pragma omp parallel for schedule(monotonic : static, c)
  for (unsigned long i = 0; i < n; ++i) a[i] = 1;
}
// CHECK-LABEL: define internal void @in_turn.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call void @takt_omp_chunks(ptr %1, i64 %{{.*}})
// CHECK-NEXT: call void @takt_omp_begin(
void any_order(double* a, int n, int c) {
#pragma omp parallel for schedule(nonmonotonic : dynamic, c)
  for (int i = 0; i < n; ++i) a[i] = 1;
}
// CHECK-LABEL: define internal void @any_order.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call void @takt_omp_chunks(ptr %1, i64 %{{.*}})
void sized(double* a, long n, long m, int c) {
#pragma omp parallel for reduction(+ : a[0 : n]) schedule(static, c)
  for (long i = 0; i < m; ++i) a[i % n] += 1;
}
// CHECK-LABEL: define internal void @sized.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call void @takt_omp_chunks(ptr %1, i64 %{{.*}})
// CHECK-NEXT: call void @takt_omp_begin_sized(ptr %1)
void region(double* a, int n, int c) {
#pragma omp parallel firstprivate(c)
  {
    c = 2 * c + 1;
#pragma omp for schedule(dynamic, c)
    for (int i = 0; i < n; ++i) a[i] = 1;
#pragma omp for schedule(static, 8)
    for (int i = 0; i < n; ++i) a[i] += 1;
  }
}
// CHECK-LABEL: define internal void @region.omp_outlined.for.takt_slice(ptr %0, ptr %1)
// CHECK: call void @takt_omp_chunks(ptr %1, i64 %{{.*}})
// CHECK-LABEL: define internal void @region.omp_outlined.for.2.takt_slice(ptr %0, ptr %1)
// CHECK: call void @takt_omp_chunks(ptr %1, i64 8)
void others(double* a, int n, int c) {
#pragma omp parallel for schedule(guided, c)
  for (int i = 0; i < n; ++i) a[i] = 1;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; ++i) a[i] = 1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) a[i] = 1;
}
// CHECK-LABEL: define internal void @others.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK-NOT: @takt_omp_chunks(
