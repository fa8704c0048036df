// A sum of constant length comes to the vectoriser as a loop: LLVM would unroll it before, and then add one term after the
// other.
// REQUIRES: tuning
// RUN: %ir %s | %optimised | %check
// RUN: %ir %s | %optimised | %check --check-prefix=MARKS
#define ROWS(name, terms, clause, declared, x, y)                              \
  void name(const double *a, const double *b, double *sums, long n) {          \
    _Pragma("omp parallel for") for (long i = 0; i < n; ++i) {                 \
      double s = 0;                                                            \
      declared;                                                                \
      _Pragma(clause) for (long k = 0; k < terms; ++k) s += (x) * (y);         \
      sums[i] = s;                                                             \
    }                                                                          \
  }

ROWS(many, 20, "omp parallel for reduction(+ : s)", , a[20 * i + k], b[k])
// CHECK-LABEL: define internal void @many.omp_outlined.takt_slice(
// CHECK: call reassoc <2 x double> @llvm.fmuladd.v2f64(
// CHECK: call reassoc double @llvm.vector.reduce.fadd.v2f64(
// CHECK: {{^[}]$}}

// Too short for that; an order that is to stay; terms that do not lie side by side; a loop around that can be vectorised; a
// local array, which then is in registers.
ROWS(few, 6, "omp parallel for reduction(+ : s)", , a[6 * i + k], b[k])
// CHECK-LABEL: define internal void @few.omp_outlined.takt_slice(
// CHECK-NOT: @llvm.vector.reduce
// CHECK: {{^[}]$}}
ROWS(in_order, 16, "", , a[16 * i + k], b[k])
// CHECK-LABEL: define internal void @in_order.omp_outlined.takt_slice(
// CHECK-NOT: @llvm.vector.reduce
// CHECK-NOT: reassoc
// CHECK: {{^[}]$}}
ROWS(apart, 20, "omp parallel for reduction(+ : s)", , a[60 * i + 3 * k], b[k])
// CHECK-LABEL: define internal void @apart.omp_outlined.takt_slice(
// CHECK-NOT: @llvm.vector.reduce
// CHECK: {{^[}]$}}
ROWS(around, 20, "omp parallel for reduction(+ : s)", , a[i + k], b[k])
// CHECK-LABEL: define internal void @around.omp_outlined.takt_slice(
// CHECK-NOT: @llvm.vector.reduce
// CHECK: {{^[}]$}}
#define FOUR(k) i + b[k], i - b[k], i + 2 * b[k], i - 2 * b[k]
#define LOCAL double c[16] = {FOUR(0), FOUR(1), FOUR(2), FOUR(3)}
ROWS(local, 16, "omp parallel for reduction(+ : s)", LOCAL, c[k], c[k])
// CHECK-LABEL: define internal void @local.omp_outlined.takt_slice(
// CHECK-NOT: {{alloca \[16 x double\]|@llvm.vector.reduce}}
// CHECK: {{^[}]$}}

// Nothing is left of the marks.
// MARKS-NOT: takt.sum
// MARKS-NOT: "llvm.loop.unroll.disable", i32
