// A reduction over a section of variable length: a half's copy is made in the room for its result, and the size of that
// room is known when all copies are made. In place, the copy is the one that Clang makes.
// RUN: %ir %s | %takt | %check
void body(double *a, long n, long m) {
  int count = 0;
#pragma omp parallel for reduction(+ : count) reduction(+ : a[0 : n])
  for (long i = 0; i < m; ++i) {
    a[i % n] += 1;
    count++;
  }
  a[0] = count;
}
// CHECK: @body.omp_outlined.takt_parts = internal constant [3 x { i64, i64 }] [{ i64, i64 } { i64 0, i64 4 }, { i64, i64 } { i64 -1, i64 8 }, { i64, i64 } zeroinitializer]
// CHECK: @body.omp_outlined.takt_loop = {{.*}}, ptr @body.omp_outlined.takt_parts, i64 3, i64 16, i64 0 }
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: %[[BYTES:.*]] = mul i64 %[[N:.*]], 8
// CHECK: %[[ROOM:.*]] = call ptr @takt_omp_room(ptr %1, i64 %{{.*}})
// CHECK: icmp eq ptr %[[ROOM]], null
// CHECK: %[[OWN:.*]] = alloca double, i64 %[[LENGTH:.*]], align 16
// CHECK: phi ptr [ %[[ROOM]], %{{.*}} ], [ %[[OWN]], %{{.*}} ]
// CHECK-NOT: @takt_omp_begin(
// CHECK: call void @takt_omp_begin_sized(ptr %1)
// CHECK: call { i64, i64 } @takt_loop_next(
// CHECK: inttoptr i64 %[[LENGTH]] to ptr
// CHECK: call i32 @takt_omp_reduce_sized(ptr %1,
// CHECK-LABEL: define internal void @body.omp_outlined.takt(
// CHECK-NOT: takt_omp_room
// CHECK: alloca double, i64
// CHECK: ret void
