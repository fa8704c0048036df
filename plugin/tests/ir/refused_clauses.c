// Clauses whose loops stay with the OpenMP runtime, and what the user is told.
// RUN: %remarks -fopenmp-version=51 %s 2>&1 | %check
// RUN: %ir -fopenmp-version=51 %s | %takt | %check --check-prefix=KEPT
// KEPT-NOT: takt_omp_run
#include <omp.h>
static int threadprivate;
#pragma omp threadprivate(threadprivate)

struct best {
  long limit, most;
};
#pragma omp declare reduction(below : struct best : omp_out.most += omp_in.most) \
    initializer(omp_priv = {omp_orig.limit, -1})

void all(int *a, int n) {
  int x = 0;
  long s = 0;
  struct best b = {0, 0};
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it has an allocate clause
#pragma omp parallel for firstprivate(x) allocate(omp_default_mem_alloc : x)
  for (int i = 0; i < n; ++i) a[i] = x;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has loops, and a reduction of the region, not of a loop, is also over tasks
#pragma omp parallel reduction(task, + : s)
#pragma omp for
  for (int i = 0; i < n; ++i) s += a[i];
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel for copyin(threadprivate)
  for (int i = 0; i < n; ++i) a[i] += threadprivate;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its loops has a shape that is not known
#pragma omp parallel for lastprivate(conditional : x)
  for (int i = 0; i < n; ++i) {
    if (a[i] > 3) x = i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over the whole region whose shape is not known
#pragma omp parallel reduction(below : b)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) b.most += a[i];
#pragma omp for
    for (int i = 0; i < n; ++i) b.most += i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} its iterations are ordered
#pragma omp parallel for ordered(1)
  for (int i = 1; i < n; ++i) {
#pragma omp ordered depend(sink : i - 1)
    a[i] += a[i - 1];
#pragma omp ordered depend(source)
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it is not a loop
#pragma omp parallel
  {
#pragma omp masked filter(x)
    a[0] = 1;
  }
// Only a team of two and more has such a thread.
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a masked construct for another thread than the first
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp masked filter(x)
    a[0] = 1;
  }
}
