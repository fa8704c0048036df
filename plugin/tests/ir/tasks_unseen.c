// What waits is run before code that is not seen is called, also below functions that are; not where it is said to have no OpenMP in
// it.
// RUN: %ir %s | %takt | %check
void work(int *x);
static void below(void (*f)(void)) { f(); }
static void with_more(void (*f)(void), ...) { f(); }
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
#pragma omp begin assumes no_openmp
void quiet(int);
static void quiet_below(void (*f)(void)) { f(); }
#pragma omp end assumes
void pointer(int *x, void (*f)(void)) {
#pragma omp task
  *x += 1;
  f();
  *x += 10;
}
void seen(int *x, void (*f)(void)) {
#pragma omp task
  *x += 1;
  below(f);
}
void variable(int *x, void (*f)(void)) {
#pragma omp task
  *x += 1;
  with_more(f, 1, 2);
  *x += 10;
}
void sorted(int *x, int (*f)(const void *, const void *)) {
#pragma omp task
  *x += 1;
  qsort(x, 2, sizeof *x, f);
  *x += 10;
}
void assumed(int *x, void (*f)(void)) {
#pragma omp task
  *x += 1;
  quiet(3);
  quiet_below(f);
}

// Where no task waits there is nothing to run.
// CHECK-LABEL: define dso_local void @pointer.takt_tasks(
// CHECK: call void @pointer.takt_pushing(
// CHECK-NOT: .run(ptr
// CHECK: ret void
// CHECK-LABEL: define internal void @assumed.takt_pushing(
// CHECK-NOT: .run(ptr
// CHECK: call void %{{.*}}(i32 {{.*}}3)
// CHECK-NOT: .run(ptr
// CHECK: call void @quiet_below(
// CHECK: call void @.omp_task_entry.{{.*}}.run(ptr

// CHECK-LABEL: define internal void @sorted.takt_pushing(
// CHECK: call void @.omp_task_entry.{{.*}}.run(ptr
// CHECK: call void @qsort(

// CHECK-LABEL: define internal void @variable.takt_pushing(
// CHECK: call void @.omp_task_entry.{{.*}}.run(ptr
// CHECK: call void (ptr, ...) @with_more.takt(

// CHECK-LABEL: define internal void @seen.takt_pushing(
// CHECK: call void @below.takt_under(

// CHECK-LABEL: define internal void @below.takt_under(
// CHECK: call void @takt_omp_drain(ptr
// CHECK: call void %{{.*}}()

// CHECK-LABEL: define internal void @pointer.takt_pushing(
// CHECK: call void @.omp_task_entry.{{.*}}.run(ptr
// CHECK: call void %{{.*}}()
// CHECK-NOT: .run(ptr
// CHECK: ret void
