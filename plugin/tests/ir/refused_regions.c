// Regions with several constructs that stay with the OpenMP runtime, and what the user is told.
// RUN: %remarks %s 2>&1 | %check
// RUN: %ir %s | %takt | %check --check-prefix=KEPT
// KEPT-NOT: takt_omp_may_convert
// KEPT-NOT: omp_outlined.for
int omp_get_thread_num(void);
void other_file(int *p);
static int *kept;

void all(int *a, int n, int *section) {
  int x = 0;
  long s = 0;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: one of its loops writes a variable that is private to the region
#pragma omp parallel private(x)
  {
    x = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) x += i;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = x;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    int row[4];
#pragma omp for
    for (int i = 0; i < n; ++i) row[i % 4] = i;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = row[i % 4];
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its loops writes a variable that is private to the region
#pragma omp parallel
  {
    int row[4], *p = row;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      p[i % 4] = i;
      a[i] = p[i % 4];
    }
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a single or masked construct that writes a variable that is private to the region
#pragma omp parallel firstprivate(x)
  {
#pragma omp single
    x = 4;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = x;
  }
// Sent to all threads by another one than the one that wrote it.
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a single or masked construct that writes a variable that is private to the region
#pragma omp parallel firstprivate(x)
  {
#pragma omp single
    x = 4;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = x;
#pragma omp single copyprivate(x)
    x = 4;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp atomic
    a[0] += 1;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += a[0];
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp critical
    a[0]++;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel for
    for (int i = 0; i < n; ++i) a[i] = i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of omp_get_thread_num
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp single
    a[0] = omp_get_thread_num();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of omp_get_thread_num
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += omp_get_thread_num();
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops uses a variable reduced over the region
#pragma omp parallel reduction(+ : s)
  {
    s++;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] += i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over the whole region whose shape is not known
#pragma omp parallel reduction(+ : section[0 : 4])
  {
#pragma omp for
    for (int i = 0; i < n; ++i) section[i % 4] += a[i];
#pragma omp for
    for (int i = 0; i < n; ++i) section[i % 4]++;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a reduction over the whole region whose shape is not known
#pragma omp parallel reduction(+ : s)
  {
    int *other = &s;
#pragma omp for
    for (int i = 0; i < n; ++i) s += a[i];
#pragma omp for
    for (int i = 0; i < n; ++i) *other += i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its constructs does more with a variable reduced over the region than to add to it
#pragma omp parallel reduction(+ : s)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) s += a[i];
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = s;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its constructs does more with a variable reduced over the region than to add to it
#pragma omp parallel reduction(max : s)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (a[i] > s) s = 0;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      if (a[i] < s) s = a[i];
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} its iterations are ordered
#pragma omp parallel
  {
#pragma omp for ordered
    for (int i = 0; i < n; ++i) {
#pragma omp ordered
      a[i] = i;
    }
#pragma omp barrier
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} each of its threads makes tasks
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp task
    a[0] = 1;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it has a masked construct for another thread than the first
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp masked filter(2)
    a[0] = 1;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it keeps the address of a variable that is private to it
#pragma omp parallel
  {
    int y = 0, *one = &y;
    if (n > 4) one = &x;
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp for
    for (int i = 0; i < n; ++i) *one = y + i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its constructs hands out the address of a variable that is private to it
#pragma omp parallel
  {
    int y = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) other_file(&y);
#pragma omp for
    for (int i = 0; i < n; ++i) a[i] = y;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it is not a loop
#pragma omp parallel
  {
#pragma omp single
    a[0] = 1;
  }
}
