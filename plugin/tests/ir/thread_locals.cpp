// A thread-local variable that parallel code only reads keeps no loop from being converted: each look is on the thread
// that the iteration is on then.
// RUN: %remarks -std=c++17 %s 2>&1 | %check --check-prefix=REMARK
// RUN: %ir -std=c++17 -DONLY_READS %s | %takt | %check
// RUN: %ir -std=c++17 -DONLY_READS %s | %optimised | %check --check-prefix=OPTIMISED
void other();

inline int &level() {
  static thread_local int it = 1;
  return it;
}
// It is not announced.
// CHECK-NOT: takt.threads_matter
// CHECK-LABEL: define {{.*}}void @_Z5readsPii(
// CHECK-LABEL: define {{.*}}@_Z5levelv()
// CHECK: call ptr @takt.at._ZZ5levelvE2it()
// CHECK-LABEL: define internal ptr @takt.at._ZZ5levelvE2it()
// CHECK-SAME: #[[ASKS:[0-9]+]]
// CHECK-NEXT: call {{.*}}ptr @llvm.threadlocal.address
// CHECK-LABEL: define internal void @_Z5readsPii.omp_outlined.takt_slice(
// CHECK: invoke {{.*}}@_Z5levelv()
// CHECK: attributes #[[ASKS]] = { noinline nounwind optnone
// Once before the call of other code, and once behind it.
// OPTIMISED-LABEL: define internal {{.*}}void @_Z5readsPii.omp_outlined.takt_slice(
// OPTIMISED: call {{.*}}ptr @takt.at._ZZ5levelvE2it()
// OPTIMISED: @_Z5otherv()
// OPTIMISED: call {{.*}}ptr @takt.at._ZZ5levelvE2it()
void reads(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    a[i] += level();
    other();
    a[i] -= level();
  }
}
#ifndef ONLY_READS
struct settings {
  int level;
  int by_kind[4];
};
static thread_local settings own{1, {}};
static thread_local int set_in_main = 2, set_by_others = 2, set_in_region = 2, given = 2, handed = 2, referred = 2;
static int kept = 2;
thread_local int named_elsewhere = 2;
static thread_local int counted;
inline void fail(const char *what) {
  if (own.level > 0) throw what;
}
void more(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop [-
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    if (a[i] < 0) fail("negative");
    a[i] += own.by_kind[i & 3] + set_in_main;
  }
// Code that takes turns with loops of its own, too.
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop [-
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
// REMARK: [[@LINE+1]]:1: remark: the parallel loop became a
#pragma omp parallel for
    for (int k = 0; k < n; ++k) a[k * n] += own.level;
    a[i] = own.level;
  }
}
void set(int to) { set_by_others = to; }
int *give() { return &given; }
void take(int *);
#pragma omp threadprivate(kept)
void stays(int *a, int n) {
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}counted
#pragma omp parallel for
  for (int i = 0; i < n; ++i) counted += a[i];
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}set_by_others
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] += set_by_others;
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it is not a loop
#pragma omp parallel
  set_in_region = n;
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}set_in_region
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] += set_in_region;
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}named_elsewhere
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] += named_elsewhere;
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}given
#pragma omp parallel for
  for (int i = 0; i < n; ++i) a[i] += given;
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}handed
#pragma omp parallel for
  for (int i = 0; i < n; ++i) take(&handed);
// An address that is used later may be another thread's then.
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}referred
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    const int &mine = referred;
    other();
    a[i] += mine;
  }
// REMARK: [[@LINE+1]]:1: remark: {{.*}} code beside its loops may have effects
#pragma omp parallel for copyin(kept)
  for (int i = 0; i < n; ++i) a[i] += kept;
// REMARK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable {{.*}}set_in_main
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp task
    a[i] += set_in_main;
  }
}
int main() { set_in_main = 3; }
#endif
