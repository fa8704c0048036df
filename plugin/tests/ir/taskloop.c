// A taskloop that has no iterations by constants runs in one piece: Clang makes a body without a loop, and of a loop that
// counts without a sign one of 2^32 iterations.
// RUN: %ir %s | %takt | %check
long empty(void) {
  long s = 0, r = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(r)
  for (unsigned i = 0; i > 0; --i) {
#pragma omp atomic
    s += r;
  }
  return s;
}
// CHECK-LABEL: define {{.*}}@empty.omp_outlined.takt(
// CHECK: call void @takt_omp_taskloop(ptr {{.*}}, i1 zeroext false, i1 zeroext true)

long some(void) {
  long s = 0, r = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop firstprivate(r)
  for (unsigned i = 3; i > 0; --i) {
#pragma omp atomic
    s += r;
  }
  return s;
}
// CHECK-LABEL: define {{.*}}@some.omp_outlined.takt(
// CHECK: call void @takt_omp_taskloop(ptr {{.*}}, i1 zeroext false, i1 zeroext false)
