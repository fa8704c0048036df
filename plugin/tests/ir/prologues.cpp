// What a thread allocates in front of its loop is made by each who takes part, in front of its first claim. Code that does more than
// that, and than plain stores, stays: nobody may count threads there.
// RUN: %remarks -std=c++17 %s 2>&1 | %check --check-prefix=REMARK
// RUN: %ir -std=c++17 %s | %takt | %check
extern "C" void *malloc(unsigned long);
extern "C" void *calloc(unsigned long, unsigned long);
extern "C" void free(void *);
extern "C" int puts(const char *);
extern "C" [[noreturn]] void exit(int) noexcept;

static long all[64], threads;
static volatile int port;
void tell(int);
int numbered_elsewhere();

// CHECK: @_Z7countedPKii.omp_outlined.takt_loop = internal constant {{.*}}, i64 2 }
// CHECK: @_Z7objectsPKii.omp_outlined.takt_loop = internal constant {{.*}}, i64 3 }

// CHECK-LABEL: define internal void @_Z7countedPKii.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: invoke ptr @malloc(
// CHECK: call void @llvm.memset
// CHECK: call void @takt_omp_begin_pooled(ptr %1, ptr null,
// CHECK: call { i64, i64 } @takt_omp_claim(ptr %1)
// CHECK-NOT: call {{.*}}@takt_omp_end(
// CHECK: call void @takt.{{.*}}critical
// CHECK: invoke void @free(
// CHECK: ret void
void counted(const int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long *mine = static_cast<long *>(malloc(64 * sizeof(long)));
    __builtin_memset(mine, 0, 64 * sizeof(long));
#pragma omp for nowait
    for (int i = 0; i < n; ++i) mine[a[i] & 63]++;
#pragma omp critical
    for (int k = 0; k < 64; ++k) all[k] += mine[k];
    free(mine);
  }
}

struct list {
  int *of;
  int used, room;
};
static list *made(int room) {
  auto *list = new struct list;
  list->of = new int[room];
  list->used = 0;
  list->room = room;
  return list;
}
static void add(list *to, int value) {
  if (to->used < to->room) to->of[to->used++] = value;
}
static list *numbered(int room) {
  list *it = made(room);
  it->used = static_cast<int>(__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED));
  return it;
}
static list *announced(int room) {
  puts("a thread");
  return made(room);
}
// Functions that are seen do that, too, and a loop that puts something into each.
// CHECK-LABEL: define internal void @_Z5listsPKii.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: invoke {{.*}}@_ZL4madei(
// CHECK: call void @takt_omp_begin_pooled(
void lists(const int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    list *mine = made(n);
    for (int k = 0; k < n; ++k) mine->of[k] = -1;
#pragma omp for nowait schedule(dynamic, 4)
    for (int i = 0; i < n; ++i) add(mine, a[i]);
#pragma omp critical
    for (int k = 0; k < mine->used; ++k) all[mine->of[k] & 63]++;
    delete[] mine->of;
    delete mine;
  }
// What iterations only use is given back as well.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    int *mine = static_cast<int *>(calloc(8, sizeof(int)));
#pragma omp for nowait
    for (int i = 0; i < n; ++i) all[a[i]] = mine[i & 7];
    free(mine);
  }
}

void stays(const int *a, int n, long *sums) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = numbered(n);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = announced(n);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = made(n);
    tell(n);
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    int number = numbered_elsewhere();
#pragma omp for nowait
    for (int i = 0; i < n; ++i) all[a[i]] = number;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = made(n);
    port = 1;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete mine;
  }
// A store to what all threads have may as well be one thread's, but for the memory.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = made(n);
    threads = 0;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete mine;
  }
// One after the other.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = made(n);
    mine->of = reinterpret_cast<int *>(sums);
#pragma omp critical
    mine->of[0]++;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) all[a[i]] = mine->room;
    delete mine;
  }
// No pool: each half of the loop would have a list.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    list *mine = made(n);
#pragma omp for nowait reduction(+ : sums[:n])
    for (int i = 0; i < n; ++i) add(mine, a[i]), sums[i] += a[i];
    delete mine;
  }
// Its memory would be that of all slices of the loop, which comes again.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    list *mine = made(n);
    for (int t = 0; t < 3; ++t) {
#pragma omp for
      for (int i = 0; i < n; ++i) add(mine, a[i]);
#pragma omp single
      threads = 0;
    }
    delete mine;
  }
}

// Nobody can tell when a thread gives back what it has allocated, so that no barrier need stand in front of that: its
// address goes nowhere, but for functions that are seen and keep none, and code of other files.
static long *some(int n) { return n > 0 ? new long[n] : nullptr; }
static long at(const long *of, int i) { return of[i & 7]; }
static const long *shown;
static const long *show(const long *it) { return shown = it; }
void fill(long *, int);
// CHECK-LABEL: define internal void @_Z10given_backPKii.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: call { i64, i64 } @takt_omp_claim(ptr %1)
// CHECK-NOT: @__kmpc_barrier
// CHECK: call void @_ZdaPv(
// CHECK: ret void
void given_back(const int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long *mine = some(n);
#pragma omp for
    for (int i = 0; i < n; ++i) {
      mine[a[i] & 7] = i;
      all[a[i]] = at(mine, i);
    }
    delete[] mine;
  }
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    long *mine = reinterpret_cast<long *>(1);
    if (n > 3) mine = static_cast<long *>(malloc(64));
#pragma omp for schedule(dynamic, 8)
    for (int i = 0; i < n; ++i) {
      fill(mine, i);
      long *end = mine + 8;
      while (end != mine) all[a[i]] += *--end;
    }
#pragma omp barrier
    if (mine != reinterpret_cast<long *>(1)) free(mine);
  }
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    list *mine = made(n);
#pragma omp for
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete mine;
  }
}
// Others may use it until all iterations are over.
void given_back_late(const int *a, int n, long *of_caller, long **kept) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long *mine = some(n);
#pragma omp for
    for (int i = 0; i < n; ++i) shown = &mine[i];
    delete[] mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long *mine = some(n);
#pragma omp for
    for (int i = 0; i < n; ++i) all[a[i]] = *show(mine);
    delete[] mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside its loops may have effects
#pragma omp parallel
  {
    long *mine = some(n);
    kept[n] = mine;
#pragma omp for
    for (int i = 0; i < n; ++i) all[a[i]] = mine[i & 7];
    delete[] mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long *mine = some(n);
#pragma omp for
    for (int i = 0; i < n; ++i) {
      long *next = static_cast<long *>(malloc(8));
      __atomic_store_n(kept, mine, __ATOMIC_RELAXED);
      all[a[i]] = mine[0];
      free(next);
    }
    delete[] mine;
  }
// The program may end there, when all iterations are over.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long *mine = some(n);
#pragma omp for
    for (int i = 0; i < n; ++i) all[a[i]] = mine[i & 7];
    if (mine != nullptr) exit(1);
    delete[] mine;
  }
// Not its own, or not only.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long *mine = nullptr;
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (a[i] == n) mine = of_caller;
    if (mine != nullptr) delete[] mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    list *mine = made(n);
#pragma omp for
    for (int i = 0; i < n; ++i) add(mine, a[i]);
    delete[] mine->of;
    delete mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: a barrier stands between its loop and code that may have effects; nowait leaves it out
#pragma omp parallel
  {
    long *mine = some(n), **of_mine = &mine;
    *of_mine = of_caller;
#pragma omp for
    for (int i = 0; i < n; ++i) all[a[i]] = mine[0];
    delete[] mine;
  }
}

// An object that code makes which is not seen is the thread's own, and so is what becomes of an exception of that: those
// do it who have none. What comes after it has no effects.
struct object {
  virtual ~object();
  virtual long of(int) = 0;
};
object *make(int);
struct owner {
  object *of = nullptr;
  ~owner() { delete of; }
};
static const char *failed;
// CHECK-LABEL: define internal void @_Z7objectsPKii.omp_outlined.takt_slice(ptr %0, ptr %1)
// CHECK: invoke {{.*}}ptr @_Z4makei(
// CHECK: call void @takt_omp_begin_pooled(
void objects(const int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop; it calls code of other files
#pragma omp parallel
  {
    owner mine;
    mine.of = make(n);
#pragma omp for
    for (int i = 0; i < n; ++i) all[a[i]] = mine.of->of(i);
  }
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop; it calls code of other files
#pragma omp parallel
  {
    owner mine;
    try {
      mine.of = make(n);
    } catch (...) {
#pragma omp critical
      failed = "no object";
      tell(n);
    }
#pragma omp for
    for (int i = 0; i < n; ++i)
      if (mine.of) all[a[i]] = mine.of->of(i);
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: code beside the loop may have effects
#pragma omp parallel
  {
    owner mine;
    try {
      mine.of = make(n);
    } catch (...) {
      failed = "no object";
    }
    tell(n);
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      if (mine.of) all[a[i]] = mine.of->of(i);
  }
}
