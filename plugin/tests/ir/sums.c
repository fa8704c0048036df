// Terms of a floating-point reduction may be added in any order, and nothing else may.
// REQUIRES: tuning
// RUN: %ir %s | %takt | %check
double adds(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int k = 0; k < n; ++k) s += a[k];
  return s;
}
// CHECK-LABEL: define internal void @adds.omp_outlined.takt_slice(
// CHECK: fadd reassoc double

double products(const double *a, const double *b, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int k = 0; k < n; ++k) s += a[k] * b[k];
  return s;
}
// CHECK-LABEL: define internal void @products.omp_outlined.takt_slice(
// CHECK: call reassoc double @llvm.fmuladd.f64

float factors(const float *a, int n) {
  float s = 1;
#pragma omp parallel for reduction(* : s)
  for (int k = 0; k < n; ++k) s *= a[k] * 2;
  return s;
}
// CHECK-LABEL: define internal void @factors.omp_outlined.takt_slice(
// CHECK: = fmul float
// CHECK: fmul reassoc float

double less(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(- : s)
  for (int k = 0; k < n; ++k) s -= a[k];
  return s;
}
// CHECK-LABEL: define internal void @less.omp_outlined.takt_slice(
// CHECK: fsub reassoc double

// The sum is looked at, with and without a name of its own; the term is what is left of it; the copy is not reduced.
double compensated(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int k = 0; k < n; ++k) {
    double c = 0;
    double t = s + a[k];
    c = (t - s) - a[k];
    s = t;
    s = c - s;
    s = s + s;
  }
  return s;
}
// CHECK-LABEL: define internal void @compensated.omp_outlined.takt_slice(
// CHECK-NOT: reassoc

double prefixes(const double *a, double *y, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int k = 0; k < n; ++k) y[k] = s += a[k];
  return s;
}
// CHECK-LABEL: define internal void @prefixes.omp_outlined.takt_slice(
// CHECK-NOT: reassoc
// CHECK: = fadd double
// CHECK-NOT: reassoc

// Nor what is no reduction. Loops that run in place add as slices do.
void rows(const long *begin, const double *a, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (long k = begin[i]; k < begin[i + 1]; ++k) s += a[k];
    y[i] += s;
  }
}
// CHECK-LABEL: define internal void @rows.omp_outlined.omp_outlined.takt_slice(
// CHECK: fadd reassoc double
// CHECK-LABEL: define internal void @rows.omp_outlined.omp_outlined.takt(
// CHECK: fadd reassoc double
// CHECK-LABEL: define internal void @rows.omp_outlined.takt_slice(
// CHECK-NOT: reassoc
// CHECK: = fadd double
// CHECK-NOT: reassoc
