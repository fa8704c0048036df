// Functions that other files may call while tasks wait say so by a symbol; a call of another file's asks for it, and waits where there is none.
// RUN: %ir %s | %takt > %t
// RUN: %check --input-file=%t
// RUN: %check --input-file=%t --check-prefix=NONE
#include <math.h>
#include <stdlib.h>
int elsewhere(int *x);
double leaf(double x) { return sqrt(x) + 1; }
static int hidden(int x) { return x + 1; }
int calls_seen(int x) { return hidden(x); }
int recursive(int x) { return x < 2 ? x : recursive(x - 1) + recursive(x - 2); }
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void sorts(int *x) { qsort(x, 10, sizeof *x, up); }
void locks(int *x) {
#pragma omp critical
  ++*x;
}
int more_arguments(int n, ...) { return n; }

int unknown(int *x) { return elsewhere(x); }
int through(int (*f)(int)) { return f(1); }
void waits(void) {
#pragma omp taskwait
}
static void below(void) { waits(); }
void waits_below(void) { below(); }
void makes(int *x) {
#pragma omp task
  ++*x;
}
void starts(int *x) {
#pragma omp parallel
  x[0] = 1;
}
void sorts_by(int *x, int (*by)(const void *, const void *)) { qsort(x, 10, sizeof *x, by); }
void looks(int *flag) {
  int set = 0;
  do {
#pragma omp atomic read
    set = *flag;
  } while (set == 0);
}
__attribute__((weak)) int replaced(int x) { return x; }
int main(void) { return hidden(1); }

void asks(int *x) {
#pragma omp task
  *x += 1;
  elsewhere(x);
  *x += 10;
}

// CHECK-DAG: @leaf.takt_quiet = hidden alias i8, ptr @takt.quiet
// CHECK-DAG: @calls_seen.takt_quiet = hidden alias
// CHECK-DAG: @recursive.takt_quiet = hidden alias
// CHECK-DAG: @sorts.takt_quiet = hidden alias
// CHECK-DAG: @locks.takt_quiet = hidden alias
// CHECK-DAG: @more_arguments.takt_quiet = hidden alias
// CHECK-DAG: @elsewhere.takt_quiet = extern_weak constant i8

// CHECK-LABEL: define internal void @asks.takt_pushing(
// CHECK: icmp eq ptr @elsewhere.takt_quiet, null
// CHECK-NEXT: br i1 %{{.*}}, label %{{.*}}, label %{{.*}}
// CHECK: call void @.omp_task_entry.{{.*}}.run(ptr
// CHECK: call i32 %{{.*}}(ptr
// CHECK: call void @.omp_task_entry.{{.*}}.run(ptr

// NONE-NOT: @{{hidden|up|unknown|through|waits|below|waits_below|makes|starts|sorts_by|looks|replaced|main|asks}}.takt_quiet
