// What walks arrays keeps its frame pointer, so that rbp is the base of none; other functions are as they were.
// REQUIRES: tuning
// RUN: %ir %s | %takt > %t
// RUN: %check < %t
// RUN: %check --check-prefix=LOOP < %t
void other(double *a) { a[0] = 1; }
void body(double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = i;
}
// CHECK-LABEL: define {{.*}}void @other(
// CHECK-SAME: #[[AS_IT_WAS:[0-9]+]]
// CHECK-LABEL: define internal void @body.omp_outlined.takt_slice(
// CHECK-SAME: #[[RUNS_CHUNKS:[0-9]+]]
// CHECK-NOT: attributes #[[AS_IT_WAS]] = {{.*}}"frame-pointer"="all"
// CHECK: attributes #[[RUNS_CHUNKS]] = {{.*}}"frame-pointer"="all"
// LOOP-LABEL: define {{.*}}void @body(
// LOOP-SAME: #[[HAS_THE_LOOP:[0-9]+]]
// LOOP: attributes #[[HAS_THE_LOOP]] = {{.*}}"frame-pointer"="all"
