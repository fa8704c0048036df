// Whether a row with bounds of 64 bits is free is asked of begin - end, and end - begin is not computed for one that is.
// RUN: %ir %s | %takt | %check
// RUN: %ir %s | %takt | %opt -passes='default<O2>' -S | %check --check-prefix=DONE
void body(double *y, const long *begin, const double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (long k = begin[i]; k < begin[i + 1]; ++k) sum += a[k];
    y[i] = sum;
  }
}
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(
// CHECK: %[[NEGATIVE:.*]] = sub i64 0, %{{.*}}
// CHECK-NEXT: %[[PAST:.*]] = load atomic i64, ptr getelementptr {{.*}}@body.omp_outlined.omp_outlined.takt_site, i64 16) monotonic
// CHECK-NEXT: icmp ule i64 %[[NEGATIVE]], %[[PAST]]
// CHECK: %[[SAME:.*]] = call i64 asm "", "=r,0"(i64 %[[NEGATIVE]])
// CHECK: %[[COUNT:.*]] = sub i64 0, %[[SAME]]
// CHECK: call {{.*}}i32 @takt_omp_ask(ptr {{.*}}, i64 %[[COUNT]],
// DONE-LABEL: define internal void @body.omp_outlined.takt_slice(
// DONE-NOT: sub i64
// DONE: %[[LESS:.*]] = sub i64 %{{.*}}, %
// DONE-NEXT: load atomic i64, ptr {{.*}} monotonic
// DONE-NEXT: icmp u{{.*}} i64 %[[LESS]], %
