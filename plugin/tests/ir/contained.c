// Of a loop whose iterations write their reduction variable alone the runtime is said to write no memory of the program's,
// so that what surrounds the loop need not be read again. Not of a loop that writes to an array, whose result is kept
// where others may see it, that locks, or that calls what is not known.
// RUN: %ir %s | %takt | %check
void unknown(void);
double kept;

void reads(const long *begin, const double *a, double *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (long k = begin[i]; k < begin[i + 1]; ++k) s += a[k];
    y[i] = s;
  }
}
// CHECK-LABEL: define internal void @reads.omp_outlined.omp_outlined.takt(
// CHECK: call i8 asm sideeffect {{.*}} #[[CREDIT:[0-9]+]]
// CHECK: call i32 @takt_omp_ask(ptr nocapture readonly @{{.*}}) #[[OWN:[0-9]+]]
// CHECK: call void @takt_omp_run(ptr nocapture readonly @{{.*}}, ptr nocapture %{{.*}}) #[[OWN]]

void writes(const long *begin, double *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (long k = begin[i]; k < begin[i + 1]; ++k) a[k] += 1;
  }
}
// CHECK-LABEL: define internal void @writes.omp_outlined.omp_outlined.takt(
// CHECK: call void @takt_omp_run(ptr @{{.*}}){{$}}

void keeps(const double *a, int n) {
#pragma omp parallel for reduction(+ : kept)
  for (int k = 0; k < n; ++k) kept += a[k];
}
// CHECK-LABEL: define internal void @keeps.omp_outlined.takt(
// CHECK: call void @takt_omp_run(ptr @{{.*}}){{$}}

void locks(const double *a, int n) {
  double most = 0;
#pragma omp parallel for
  for (int k = 0; k < n; ++k) {
#pragma omp critical
    most = a[k] > most ? a[k] : most;
  }
  kept = most;
}
// CHECK-LABEL: define internal void @locks.omp_outlined.takt(
// CHECK: call void @takt_omp_run(ptr @{{.*}}){{$}}

void calls(const double *a, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int k = 0; k < n; ++k) {
    unknown();
    s += a[k];
  }
  kept = s;
}
// CHECK-LABEL: define internal void @calls.omp_outlined.takt(
// CHECK: call void @takt_omp_run(ptr @{{.*}}){{$}}

// CHECK: attributes #[[CREDIT]] = {{.*}}memory(inaccessiblemem: readwrite)
// CHECK: attributes #[[OWN]] = { memory(read, argmem: readwrite, inaccessiblemem: readwrite) }
