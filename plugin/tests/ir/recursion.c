// A loop that can reach itself never runs in place: the short ones at the end of the recursion would let the long ones at
// its beginning do so, too.
// RUN: %ir %s | %takt | %check
void walk(double *a, int depth, int n) {
#pragma omp parallel for
  for (int k = 0; k < 8; ++k) {
    if (depth > 0) walk(a + (k << 3 * depth), depth - 1, n);
#pragma omp parallel for
    for (int f = 0; f < n; ++f) a[f] *= 7.25;
  }
}
// CHECK-LABEL: define internal void @walk.omp_outlined.takt(
// CHECK-NOT: load atomic
// CHECK-NOT: @walk(
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr {{.*}}@walk.omp_outlined.takt_loop,
// CHECK-NOT: load atomic
// CHECK-NOT: @walk(
// CHECK: {{^}}}
