// Where LLVM has unrolled a sum that may be added in any order, every other term is added to a second one.
// REQUIRES: tuning
// RUN: %ir %s | %optimised -vectorize-slp=false | %check
void rows(const long *begin, const int *column, const double *a, const double *x, double *y, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double s = y[i];
#pragma omp parallel for reduction(+ : s)
    for (long k = begin[i]; k < begin[i + 1]; ++k) s += a[k] * x[column[k]];
    y[i] = s;
  }
}
// In chunks of long rows, and in rows that run where they are.
// CHECK-LABEL: define internal void @rows.omp_outlined.omp_outlined.takt_slice(
// CHECK: takt.sums:
// CHECK-NEXT: %[[BOTH:[0-9]+]] = fadd double %[[FIRST4:[0-9]+]], %[[SECOND4:[0-9]+]]
// CHECK: phi double {{.*}}%[[BOTH]], %takt.sums
// CHECK: %[[FIRST:[0-9]+]] = phi double [ %[[FIRST4]], %
// CHECK-NEXT: %[[SECOND:[0-9]+]] = phi double [ %[[SECOND4]], %{{.*}} ], [ 0.000000e+00, %
// CHECK: %[[FIRST2:[0-9]+]] = {{.*}} @llvm.fmuladd.f64(double %{{.*}}, double %{{.*}}, double %[[FIRST]])
// CHECK: %[[SECOND2:[0-9]+]] = {{.*}} @llvm.fmuladd.f64(double %{{.*}}, double %{{.*}}, double %[[SECOND]])
// CHECK: %[[FIRST4]] = {{.*}} @llvm.fmuladd.f64(double %{{.*}}, double %{{.*}}, double %[[FIRST2]])
// CHECK: %[[SECOND4]] = {{.*}} @llvm.fmuladd.f64(double %{{.*}}, double %{{.*}}, double %[[SECOND2]])
// CHECK: br i1 %{{.*}}, label %takt.sums, label %
// CHECK-LABEL: define internal void @rows.omp_outlined.takt_slice(
// CHECK: phi double {{.*}}[ 0.000000e+00,
// CHECK: phi double {{.*}}[ 0.000000e+00,
// CHECK: {{^[}]$}}

float less(const int *column, const float *x, long n) {
  float s = 0;
#pragma omp parallel for reduction(- : s)
  for (long k = 0; k < n; ++k) s -= x[column[k]];
  return s;
}
// CHECK-LABEL: define internal void @less.omp_outlined.takt_slice(
// CHECK: takt.sums:
// CHECK-NEXT: %{{.*}} = fadd float %{{.*}}, %[[SECOND4:[0-9]+]]
// CHECK: %[[SECOND:[0-9]+]] = phi float [ %[[SECOND4]], %{{.*}} ], [ 0.000000e+00, %
// CHECK: %[[SECOND2:[0-9]+]] = fsub reassoc float %[[SECOND]], %
// CHECK: %[[SECOND4]] = fsub reassoc float %[[SECOND2]], %
// CHECK: {{^[}]$}}

// Five of them would need ten registers and more.
__attribute__((const)) double f(long k);
#define TERMS(s, k) s += f(k), s += f((k) + 1), s += f((k) + 2), s += f((k) + 3)
void four(double *y, long n) {
  double s = 0, t = 0, u = 0, v = 0;
#pragma omp parallel for reduction(+ : s, t, u, v)
  for (long k = 0; k < n; ++k) TERMS(s, k), TERMS(t, 4 * k), TERMS(u, 8 * k), TERMS(v, 16 * k);
  y[0] = s, y[1] = t, y[2] = u, y[3] = v;
}
// CHECK-LABEL: define internal void @four.omp_outlined.takt_slice(
// CHECK: takt.sums:
// CHECK-COUNT-4: fadd double
// CHECK-COUNT-16: fadd reassoc double
// CHECK: {{^[}]$}}
void five(double *y, long n) {
  double s = 0, t = 0, u = 0, v = 0, w = 0;
#pragma omp parallel for reduction(+ : s, t, u, v, w)
  for (long k = 0; k < n; ++k) TERMS(s, k), TERMS(t, 4 * k), TERMS(u, 8 * k), TERMS(v, 16 * k), TERMS(w, 32 * k);
  y[0] = s, y[1] = t, y[2] = u, y[3] = v, y[4] = w;
}
// CHECK-LABEL: define internal void @five.omp_outlined.takt_slice(
// CHECK-NOT: takt.sums
// CHECK-COUNT-20: fadd reassoc double
// CHECK-NOT: takt.sums
// CHECK: {{^[}]$}}

// No clause, so one after the other; a product; a sum that the program looks at.
void in_order(const long *begin, const int *column, const double *a, const double *x, double *y, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long k = begin[i]; k < begin[i + 1]; ++k) s += a[k] * x[column[k]];
    y[i] = s;
  }
}
// CHECK-LABEL: define internal void @in_order.omp_outlined.takt_slice(
// CHECK: @llvm.fmuladd.f64
// CHECK-NOT: takt.sums
// CHECK: {{^[}]$}}
double factors(const int *column, const double *x, long n) {
  double s = 1;
#pragma omp parallel for reduction(* : s)
  for (long k = 0; k < n; ++k) s *= x[column[k]];
  return s;
}
// CHECK-LABEL: define internal void @factors.omp_outlined.takt_slice(
// CHECK: fmul reassoc double
// CHECK-NOT: takt.sums
// CHECK: {{^[}]$}}
double seen(const int *column, const double *x, double *y, long n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long k = 0; k < n; ++k) y[column[k]] = s += x[column[k]];
  return s;
}
// CHECK-LABEL: define internal void @seen.omp_outlined.takt_slice(
// CHECK: fadd double
// CHECK-NOT: takt.sums
// CHECK: {{^[}]$}}
