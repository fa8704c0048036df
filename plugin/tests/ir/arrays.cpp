// Arrays of which each has memory of its own, as seen from what is stored in their variables, have scopes of their own.
// RUN: %ir %s | %takt | %check
using size = decltype(sizeof 0);
extern "C" {
void *malloc(size);
void *calloc(size, size);
void *aligned_alloc(size, size);
void free(void *);
void use(double *);

// Allocated anew in each turn, or null. Elements by way of another pointer stay as they are.
void apart(int n) {
  double *a = nullptr, *b;
  for (int turn = 0; turn < 3; ++turn) {
    a = (double *)malloc(n * sizeof *a);
    b = (double *)calloc(n, sizeof *b);
#pragma omp parallel for
    for (int i = 0; i < n - 1; ++i) {
      a[i] = *(b + i + 1);
      double *c = a + n;
      c[-1] = 0;
    }
    use(a);
    free(a);
    free(b);
  }
}
// CHECK-LABEL: define internal void @apart.omp_outlined.takt_slice(
// CHECK: load double, ptr {{.*}}, !alias.scope ![[B:[0-9]+]], !noalias ![[A:[0-9]+]]
// CHECK: store double {{.*}}, !alias.scope ![[A]], !noalias ![[B]]
// CHECK-NOT: !alias.scope
// CHECK: store double 0.000000e+00
// CHECK: ret void

// In a loop around the loop, too: of three arrays each is told from the two others.
void nested(int n) {
  double *a = new double[n];
  double *b = (double *)aligned_alloc(64, n * sizeof *b);
  double *c = (double *)malloc(n * sizeof *c);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int k = 0; k < n; ++k) a[k] = b[i] - c[k];
  }
}
// CHECK-LABEL: define internal void @nested.omp_outlined.omp_outlined.takt_slice(
// CHECK: load double, ptr {{.*}}, !alias.scope ![[NB:[0-9]+]], !noalias ![[NOT_B:[0-9]+]]
// CHECK: load double, ptr {{.*}}, !alias.scope ![[NC:[0-9]+]], !noalias ![[NOT_C:[0-9]+]]
// CHECK: store double {{.*}}, !alias.scope ![[NA:[0-9]+]], !noalias ![[NOT_A:[0-9]+]]
// CHECK: ret void

// Rows that an array points to are not its memory.
void rows(int n) {
  double *a = new double[n], **b = new double *[n];
  for (int i = 0; i < n; ++i) b[i] = a;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = b[i][0];
}
// CHECK-LABEL: define internal void @rows.omp_outlined.takt_slice(
// CHECK: load ptr, ptr {{.*}}, !alias.scope
// CHECK: load double, ptr
// CHECK-NOT: !alias.scope
// CHECK: store double {{.*}}, !alias.scope
// CHECK: ret void

// A variable under two names is one array.
void twice(int n) {
  double *a = new double[n], *c = new double[n];
  double *&b = a;
#pragma omp parallel for
  for (int i = 1; i < n; ++i) a[i] = b[i - 1] + c[i];
}
// CHECK-LABEL: define internal void @twice.omp_outlined.takt_slice(
// CHECK: load double, ptr
// CHECK-NOT: !alias.scope
// CHECK: load double, ptr {{.*}}, !alias.scope
// CHECK: store double {{.*}}, !alias.scope
// CHECK: ret void
}
// CHECK: ![[NB]] = !{![[SB:[0-9]+]]}
// CHECK: ![[NOT_B]] = !{![[SA:[0-9]+]], ![[SC:[0-9]+]]}
// CHECK: ![[NC]] = !{![[SC]]}
// CHECK: ![[NOT_C]] = !{![[SA]], ![[SB]]}
// CHECK: ![[NA]] = !{![[SA]]}
// CHECK: ![[NOT_A]] = !{![[SB]], ![[SC]]}
