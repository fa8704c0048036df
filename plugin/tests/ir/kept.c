// What stays with the OpenMP runtime is announced to takt, if the program has it; a region inside it is not.
// RUN: %ir %s | %takt | %check
// RUN: %ir -g %s | %takt -o /dev/null
int omp_get_thread_num(void);
void outer(double *a, int n) {
#pragma omp parallel
  {
    a[omp_get_thread_num()] = n;
#pragma omp parallel
    a[omp_get_thread_num()] += n;
  }
}
// CHECK-LABEL: define {{.*}}void @outer(
// CHECK: icmp ne ptr @takt_omp_before_kept, null
// CHECK: call void @takt_omp_before_kept()
// CHECK: call {{.*}}@__kmpc_fork_call({{.*}}, ptr @outer.omp_outlined,
// CHECK-LABEL: define internal void @outer.omp_outlined(
// CHECK-NOT: @takt_omp_before_kept
// CHECK: call {{.*}}@__kmpc_fork_call({{.*}}, ptr @outer.omp_outlined.omp_outlined{{[.0-9]*}},
// CHECK: declare extern_weak void @takt_omp_before_kept()
