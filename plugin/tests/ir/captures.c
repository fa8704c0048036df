// Variables that nobody writes are passed by value; the result of a nested reduction is a copy in the record of captures, in
// the slow path only;
// a variable whose address is known elsewhere is passed as Clang passes it.
// RUN: %ir %s | %takt | %check
void escape(int *p);
void body(int n, double *a, double *y) {
  int known = 3;
  escape(&known);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int j = 0; j < n; ++j) s += a[j] * known;
    y[i] = s;
  }
}
// CHECK-LABEL: define {{.*}}void @body(
// CHECK: call void @body.omp_outlined.takt(i32 %{{.*}}, ptr %{{.*}}, ptr %{{.*}}, ptr %{{.*}})
// CHECK-LABEL: define internal void @body.omp_outlined.omp_outlined.takt(i32 %0, ptr noundef nonnull align 8 dereferenceable(8) %1, ptr %2, ptr noundef nonnull align 4 dereferenceable(4) %3)
// CHECK: %[[RECORD:.*]] = alloca { i32, double, ptr, ptr }
// CHECK: %[[COPY:.*]] = getelementptr inbounds { i32, double, ptr, ptr }, ptr %[[RECORD]], i32 0, i32 1
// CHECK: %[[OLD:.*]] = load double, ptr %1
// CHECK: store double %[[OLD]], ptr %[[COPY]], align
// CHECK: @takt_omp_run(
// CHECK: %[[NEW:.*]] = load double, ptr %[[COPY]]
// CHECK: store double %[[NEW]], ptr %1
