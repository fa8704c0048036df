// Each thread of a region that stays with the OpenMP runtime tells takt when it is done, if the program has it; in a region
// inside it none does.
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
// CHECK-NOT: @takt_omp_kept_ends
// CHECK-LABEL: define internal void @outer.omp_outlined(
// CHECK: call {{.*}}@__kmpc_fork_call({{.*}}, ptr @outer.omp_outlined.omp_outlined{{[.0-9]*}},
// CHECK: icmp ne ptr @takt_omp_kept_ends, null
// CHECK: call void @takt_omp_kept_ends()
// CHECK: ret void
// CHECK-LABEL: define internal void @outer.omp_outlined.omp_outlined
// CHECK-NOT: @takt_omp_kept_ends
// CHECK: {{^}}}
// CHECK: declare extern_weak void @takt_omp_kept_ends()
