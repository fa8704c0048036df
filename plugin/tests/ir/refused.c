// Everything that stays with the OpenMP runtime, and what the user is told.
// RUN: %remarks %s 2>&1 | %check
// RUN: %ir %s | %takt | %check --check-prefix=KEPT
// KEPT-NOT: takt_omp_run
#include <stdlib.h>
int omp_get_thread_num(void);
static _Thread_local int own;
static int shared, threadprivate, global[8];
#pragma omp threadprivate(threadprivate)
static int asks(void) { return omp_get_thread_num(); }
void other_file(void);

void all(int *a, int n, int *section) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it is not a loop
#pragma omp parallel
  { a[0] = 1; }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside the loop may have effects
#pragma omp parallel
  {
#pragma omp atomic
    shared++;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) a[i] = i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside the loop may have effects
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) a[i] = i;
    other_file();
  }
  int count = 0;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside the loop may have effects
#pragma omp parallel reduction(+ : count)
  {
    count++;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) count += a[i];
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside the loop may have effects
#pragma omp parallel reduction(+ : section[0 : 4])
  {
    section[1] = 5;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) section[i % 4] += a[i];
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a critical section that calls code of other files
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp critical
    other_file();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} its iterations are ordered
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    shared++;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it can be cancelled
#pragma omp parallel
  {
    shared++;
#pragma omp cancel parallel
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of omp_get_thread_num
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; ++i) a[i] = omp_get_thread_num();
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] = asks();
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable own
#pragma omp parallel for
  for (int i = 0; i < n; ++i) own = i;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable threadprivate
#pragma omp parallel for
  for (int i = 0; i < n; ++i) threadprivate = i;
  _Alignas(64) int aligned = 0;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over an array section of variable length, and over a variable of large alignment
#pragma omp parallel for reduction(+ : section[0 : n], aligned)
  for (int i = 0; i < n; ++i) {
    section[i]++;
    aligned++;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over a part of a global array, to which Clang adds without a copy
#pragma omp parallel for reduction(+ : global[1 : 3])
  for (int i = 0; i < n; ++i) global[1 + i % 3]++;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over a part of a global array, to which Clang adds without a copy
#pragma omp parallel for reduction(+ : global[1 : n])
  for (int i = 0; i < n; ++i) global[1 + i]++;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over a part of a global array, to which Clang adds without a copy
#pragma omp parallel for reduction(+ : global[n : 3])
  for (int i = 0; i < n; ++i) global[n + i % 3]++;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over a part of a global array, to which Clang adds without a copy
#pragma omp parallel for reduction(+ : global[2])
  for (int i = 0; i < n; ++i) global[2]++;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a parallel region that stays with the OpenMP runtime
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} its iterations are ordered
#pragma omp parallel for ordered
    for (int j = 0; j < n; ++j) {
#pragma omp ordered
      a[j] += i;
    }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has tasks
#pragma omp parallel for reduction(task, + : a[0])
    for (int j = 0; j < n; ++j) {
#pragma omp task in_reduction(+ : a[0])
      a[0] += i;
    }
  }
}
