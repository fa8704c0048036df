// Where it is dear to begin a slice, all slices claim from one pool, and the entry makes nothing: each who takes part
// makes what is private once. Who has no results of others to take, and leaves out no
// barrier, ends what is its own before it waits for them.
// RUN: %ir -std=c++17 %s | %takt | %check
#include <stddef.h>
void *operator new[](size_t);
void operator delete[](void *) noexcept;

struct row {
  double *cells;
  explicit row(int n) : cells(new double[n]) {}
  row(const row &);
  ~row() { delete[] cells; }
};
struct small {
  double value;
  small() : value(1) {}
  small(const small &) = default;
};
void use(double *);

// CHECK: @_Z5firstPdi.omp_outlined.takt_loop = internal constant {{.*}}, i64 2 }
// CHECK: @_Z6secondPd.omp_outlined.takt_loop = internal constant {{.*}}, i64 3 }
// CHECK: @_Z5thirdPd.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
// CHECK: @_Z6fourthPd.omp_outlined.takt_loop = internal constant {{.*}}, i64 2 }
// CHECK: @_Z5fifthPd.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
// CHECK: @_Z5sixthPd.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
// CHECK: @_Z7seventhPdi.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
// CHECK: @_Z5ninthPdi.omp_outlined.takt_loop = internal constant {{.*}}, i64 0 }
// CHECK: @_Z6eighthPd.omp_outlined.takt_loop = internal constant {{.*}}, i64 1 }

// A constructor that allocates.
void first(double *a, int n) {
#pragma omp parallel
  {
    row mine(n);
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += mine.cells[i % 7];
  }
}
// CHECK-LABEL: define internal void @_Z5firstPdi.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: invoke void @_ZN3rowC
// CHECK: call void @takt_omp_begin_pooled(ptr %1, ptr null, i64 %{{.*}}, i64 0)
// CHECK-NOT: call {{.*}}@takt_loop_next(
// CHECK: call { i64, i64 } @takt_omp_claim(ptr %1)
// CHECK: call i32 @takt_omp_end(ptr %1)
// CHECK: call void @_ZN3rowD
// CHECK-LABEL: define internal void @_Z5firstPdi.omp_outlined.takt(
// CHECK-NOT: @_ZN3row
// CHECK: call void @takt_omp_run(ptr {{.*}}@_Z5firstPdi.omp_outlined.takt_loop, ptr %{{.*}}, i64 %{{.*}}, i32 0)
// CHECK: ret void

// A copy that is made elsewhere: the loop may be left to the OpenMP runtime. The chunk is told with the count.
void second(double *a) {
  row given(3);
#pragma omp parallel for firstprivate(given) schedule(dynamic, 5)
  for (int i = 0; i < 100; ++i) a[i] = given.cells[i];
}
// CHECK-LABEL: define internal void @_Z6secondPd.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call void @takt_omp_begin_pooled(ptr %1, ptr null, i64 100, i64 5)
// CHECK-NOT: @takt_omp_end(
// CHECK-LABEL: define internal void @_Z6secondPd.omp_outlined.takt(
// CHECK: %[[WAY:.*]] = call i32 @takt_omp_ask(ptr {{.*}}@_Z6secondPd.omp_outlined.takt_loop, i64 0, i64 0)
// CHECK-DAG: call void @takt_omp_run(ptr {{.*}}@_Z6secondPd.omp_outlined.takt_loop, ptr %{{.*}}, i64 %{{.*}}, i32 %[[WAY]])
// CHECK-DAG: call void {{.*}}@__kmpc_fork_call(

// Sums of arrays are not what it is for. An array that is filled is.
void third(double *a) {
  double sums[1000] = {};
#pragma omp parallel for reduction(+ : sums)
  for (int i = 0; i < 10000; ++i) sums[i % 1000] += a[i];
  use(sums);
}
void fourth(double *a) {
#pragma omp parallel
  {
    double scratch[1000];
    __builtin_memset(scratch, 0, sizeof scratch);
#pragma omp for
    for (int i = 0; i < 10000; ++i) scratch[i % 1000] = a[i], a[i] += scratch[(i + 1) % 1000] * 0;
  }
}

// CHECK-LABEL: define internal void @_Z6fourthPd.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call void @llvm.memset
// CHECK: call void @takt_omp_begin_pooled(ptr %1, ptr null,

// None of these is dear: a constructor that is seen, a short array, and an array of them.
void fifth(double *a) {
  small mine;
#pragma omp parallel for private(mine)
  for (int i = 0; i < 100; ++i) mine.value = i, a[i] = mine.value;
}
void sixth(double *a) {
  double sums[4] = {};
#pragma omp parallel for reduction(+ : sums)
  for (int i = 0; i < 100; ++i) sums[i % 4] += a[i];
  use(sums);
}
void seventh(double *a, int n) {
  small mine[5];
#pragma omp parallel for private(mine)
  for (int i = 0; i < n; ++i) mine[i % 5].value = i, a[i] = mine[i % 5].value;
}

// Nor is a loop of a few steps, or memory that may have to be given back.
struct empty {
  double *cells = nullptr;
  ~empty() { delete[] cells; }
};
static void set(double *steps, int n) {
  for (int k = 0; k < 4; ++k) steps[k] = k * n;
}
void ninth(double *a, int n) {
#pragma omp parallel
  {
    double steps[4], more[4];
    for (int k = 0; k < 4; ++k) steps[k] = k * n;
    set(more, n);
    empty mine;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += steps[i % 4] + more[i % 4];
  }
}

// A program's own operator: what it combines is in order.
struct large {
  double values[1000];
  large();
  void add(const large &);
};
#pragma omp declare reduction(merge : large : omp_out.add(omp_in))
void eighth(double *a) {
  large all;
#pragma omp parallel for reduction(merge : all)
  for (int i = 0; i < 100; ++i) all.values[i] = a[i];
  use(all.values);
}
