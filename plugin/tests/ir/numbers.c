// Iterations may look at the number of their thread: that of their slice, of which no two at one time have the same one.
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
// RUN: %ir -DONLY_PLACE %s | %takt | %check
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void *scratch(int number);
void use(int *number);
static long sums[64];

// CHECK: @place.omp_outlined.takt_loop = internal constant {{.*}}, i64 10 }
// A file with such loops alone says nothing of threads.
// CHECK-NOT: takt.threads_matter

// CHECK-LABEL: define dso_local void @place(
// CHECK: call void @place.omp_outlined.takt_serial(
// CHECK: call void @place.omp_outlined.takt(

// CHECK-LABEL: define internal void @place.omp_outlined.takt_serial(
// CHECK-NOT: @omp_get_thread_num
// CHECK: sext i32 0 to i64
// CHECK: ret void
// The number is read when an iteration asks.
// CHECK-LABEL: define internal void @place.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call { i64, i64 } @takt_omp_claim(ptr %1)
// CHECK: %[[NUMBER:.*]] = getelementptr inbounds i8, ptr %1, i64 {{.*}}
// CHECK-NEXT: load i32, ptr %[[NUMBER]]
// CHECK-NOT: @omp_get_thread_num
void place(const int *a, int n, int threads) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop; num_threads limits how many workers take part
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; ++i) sums[omp_get_thread_num()] += a[i];
}
#ifndef ONLY_PLACE
void more(const int *a, int n) {
  long sum = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    const int number = omp_get_thread_num();
    sums[number] += a[i];
    if (number == 0) sum += n;
  }
  sums[0] = sum;
// In front of the loop, for the iterations alone.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    int number = omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < n; ++i) sums[number] += a[i];
  }
// Each of two loops, one inside the other, has threads of its own.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    sums[omp_get_thread_num()] += a[i];
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
    for (int k = 0; k < n; ++k) sums[omp_get_thread_num() + 32] += a[k];
  }
}
static int asks(void) { return omp_get_thread_num(); }
// What a program may count on is left to threads.
void stays(const int *a, int n, long *more) {
// Which thread has an iteration.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n; ++i) sums[omp_get_thread_num()] += a[i];
// That it is the same one in two loops.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) sums[omp_get_thread_num()] += a[i];
#pragma omp for
    for (int i = 0; i < n; ++i) sums[omp_get_thread_num()] -= a[i];
  }
// That all numbers come: a part for each, and a place that each makes ready.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    int first = omp_get_thread_num() * n / omp_get_num_threads();
    int last = (omp_get_thread_num() + 1) * n / omp_get_num_threads();
    for (int i = first; i < last; ++i) sums[i] = a[i];
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i) sums[i] += i;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    int number = omp_get_thread_num();
    sums[number] = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) sums[number] += a[i];
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    int number = omp_get_thread_num();
    const long *mine = scratch(number);
#pragma omp for
    for (int i = 0; i < n; ++i) sums[i] += mine[a[i]];
  }
// How many there are.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_num_threads
#pragma omp parallel for
  for (int i = 0; i < n; ++i) sums[omp_get_thread_num()] += omp_get_num_threads();
// Its variable may be another one's, too.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    int number = omp_get_thread_num();
    use(&number);
#pragma omp for
    for (int i = 0; i < n; ++i) sums[number] += a[i];
  }
// A task runs elsewhere; and a function has no slice.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp task
    sums[omp_get_thread_num()] += a[i];
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel for
  for (int i = 0; i < n; ++i) sums[asks()] += a[i];
// No pool.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel for reduction(+ : more[:n])
  for (int i = 0; i < n; ++i) more[a[i]] += omp_get_thread_num();
}
#endif
