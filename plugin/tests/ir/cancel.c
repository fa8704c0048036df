// A loop that can be cancelled has a variable that says so, and iterations that then do not begin.
// RUN: %ir %s | %takt | %check
// With -g code of an iteration and the step to the next one are in one block.
// RUN: %ir -g %s | %takt | %check --check-prefix=DEBUG
// The OpenMP runtime says whether cancellation is on, each time.
// CHECK-LABEL: define {{.*}}@cancelled(
// CHECK: %[[ON:.*]] = call i32 @omp_get_cancellation()
// CHECK: store i32 %[[ON]], ptr
void cancelled(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    if (x[i] > 2) {
#pragma omp cancel for
    }
    x[i] += 1;
  }
}
// CHECK-LABEL: define internal void @cancelled.omp_outlined.takt_slice(
// CHECK: %[[BEGIN:.*]] = load atomic i32, ptr %[[STATE:.*]] monotonic
// CHECK: icmp eq i32 %[[BEGIN]], 2
// CHECK: load atomic i32, ptr %[[STATE]] monotonic
// CHECK: store atomic i32 %{{.*}}, ptr %[[STATE]] monotonic
// CHECK-NOT: call i32 @__kmpc_cancel
// CHECK: {{^[}]$}}

// DEBUG-LABEL: define internal void @cancelled.omp_outlined.takt_slice(
// DEBUG: load atomic i32
// DEBUG-NEXT: icmp eq i32
// DEBUG-NEXT: br i1 %{{.*}}, label %[[STEP:[0-9a-z.]+]], label
// DEBUG: fadd
// DEBUG: {{^}}[[STEP]]:
// DEBUG-NEXT: load i64
// DEBUG-NEXT: add

// Nothing of that is in a loop that cannot.
// CHECK-LABEL: define internal void @plain.omp_outlined.takt_slice(
// CHECK-NOT: atomic
// CHECK: {{^[}]$}}
void plain(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) x[i] += 1;
}
