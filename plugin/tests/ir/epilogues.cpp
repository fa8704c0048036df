// What a thread does behind its loop with what its iterations have left is done by each who takes part: slices claim from a
// pool, and the effects stand behind the last claim.
// RUN: %remarks -std=c++17 %s 2>&1 | %check --check-prefix=REMARK
// RUN: %ir -std=c++17 %s | %takt | %check
struct list {
  int *begin, *end, *room;
  list() : begin(nullptr), end(nullptr), room(nullptr) {}
  ~list() { delete[] begin; }
  list(const list &) = delete;
  void add(int);
};
inline void list::add(int value) {
  if (end == room) {
    int *more = new int[2 * (room - begin) + 1];
    int *at = more;
    for (int *each = begin; each != end; ++each) *at++ = *each;
    room = more + 2 * (room - begin) + 1;
    delete[] begin;
    begin = more;
    end = at;
  }
  *end++ = value;
}
inline void append(list &to, const list &from) {
  for (int *each = from.begin; each != from.end; ++each) to.add(*each);
}
static int threads, found_any;
void use(int *);

// CHECK: @_Z6gatherPKiiR4list.omp_outlined.takt_loop = internal constant {{.*}}, i64 2 }
// CHECK: @_Z6summedPKiiR4list.omp_outlined.takt_loop = internal constant {{.*}}, i64 2 }

// CHECK-LABEL: define internal void @_Z6gatherPKiiR4list.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: invoke void @_ZN4listC
// CHECK: call void @takt_omp_begin_pooled(ptr %1, ptr null,
// CHECK: call { i64, i64 } @takt_omp_claim(ptr %1)
// CHECK-NOT: call {{.*}}@takt_omp_end(
// CHECK: call void @takt.{{.*}}critical
// CHECK: invoke void @_Z6appendR4listRKS_
// CHECK: call void @_ZN4listD
// CHECK: ret void
void gather(const int *a, int n, list &all) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    list mine;
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (a[i] != 0) mine.add(i);
#pragma omp critical
    append(all, mine);
  }
}

// Sums are handed over before that.
// CHECK-LABEL: define internal void @_Z6summedPKiiR4list.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call i32 @takt_omp_end(ptr %1)
// CHECK: call i32 @takt_omp_reduce(ptr %1,
// CHECK: invoke void @_Z6appendR4listRKS_
int summed(const int *a, int n, list &all) {
  int sum = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    list mine;
#pragma omp for nowait reduction(+ : sum)
    for (int i = 0; i < n; ++i) {
      sum += a[i];
      if (a[i] != 0) mine.add(i);
    }
#pragma omp critical
    append(all, mine);
  }
  return sum;
}

int others(const int *a, int n, long *counts) {
  int best = -1, where = 0;
// What iterations have found decides.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    bool found = false;
#pragma omp for nowait schedule(dynamic, 4)
    for (int i = 0; i < n; ++i) found = found || a[i] == 7;
    if (found) {
#pragma omp atomic write
      found_any = 1;
    }
  }
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long mine[4] = {};
#pragma omp for nowait schedule(guided)
    for (int i = 0; i < n; ++i) mine[a[i] & 3]++;
    for (int k = 0; k < 4; ++k) {
#pragma omp atomic
      counts[k] += mine[k];
    }
  }
// A barrier that nobody sees: only what follows it knows of these.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    int mine = -1, at = 0;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (a[i] > mine) mine = a[i], at = i;
#pragma omp critical
    if (mine > best) best = mine, where = at;
  }
  return where;
}

void stays(const int *a, int n, list &all, int *best) {
// Each of these counts threads.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list mine;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine.add(i);
#pragma omp critical
    {
      append(all, mine);
      ++threads;
    }
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list mine;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine.add(i);
    if (mine.begin != mine.end) {
#pragma omp critical
      append(all, mine);
    }
#pragma omp atomic
    threads++;
  }
// Here effects come first.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list mine;
    mine.add(n);
#pragma omp critical
    append(all, mine);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine.add(i);
  }
// Iterations may see them, as far as is known here.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    list mine;
#pragma omp for
    for (int i = 0; i < n; ++i) mine.add(a[i]);
#pragma omp critical
    append(all, mine);
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    int mine = *best;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (a[i] > mine) mine = a[i];
#pragma omp critical
    if (mine > *best) *best = mine;
  }
  int most = -1;
// What stands in front of the loop may see them.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    int mine = most;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (a[i] > mine) mine = a[i];
#pragma omp critical
    if (mine > most) most = mine;
  }
  int seen = -1;
  use(&seen);
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    int mine = -1;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (a[i] > mine) mine = a[i];
#pragma omp critical
    if (mine > seen) seen = mine;
  }
  found_any = most;
// It has a loop that comes again, and effects behind it.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: its loop comes again
#pragma omp parallel
  {
    list mine;
    for (int t = 0; t < 3; ++t) {
#pragma omp for nowait
      for (int i = 0; i < n; ++i) mine.add(a[i]);
#pragma omp critical
      append(all, mine);
    }
  }
}
// A loop that comes again is no slice's: one thread comes to it as often as it stands there.
void again(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one; its loops became takt loops
#pragma omp parallel
  for (int t = 0; t < 3; ++t) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp for nowait
    for (int i = 0; i < n; ++i) a[i] += t;
  }
}
