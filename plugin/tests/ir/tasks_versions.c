// A function with tasks asks once whether they are free: then each runs where it is made, as a call, and nothing waits.
// Else all of the function runs as its other version, which pushes tasks and asks no more.
// RUN: %ir %s | %takt | %check %tuned
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK

int fib(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

// What has an effect is not done twice: the question comes first.
void fill(int *where, int depth) {
  where[0] = depth;
  if (depth == 0) return;
#pragma omp task
  fill(where + 1, depth - 1);
  fill(where + (1 << depth), depth - 1);
#pragma omp taskwait
}

// So has a volatile copy of a struct.
struct device {
  int status, data[7];
};
int watched(volatile struct device *from, int n) {
  struct device now = *from;
  int a, b;
  if (n < 2) return now.data[0];
#pragma omp task shared(a)
  a = watched(from, n - 1);
  b = watched(from, n - 2);
#pragma omp taskwait
  return a + b;
}

// Behind one question there could be any number of tasks: each asks, in one version.
void scatter(int *where, int count) {
  for (int i = 0; i < count; ++i) {
#pragma omp task
    scatter(where + i, i / 2);
  }
#pragma omp taskwait
}

int main(void) {
  int got = 0;
  int all[64] = {0};
  volatile struct device some = {0};
// REMARK: [[@LINE+1]]:{{.*}}remark: the parallel region runs as a call
#pragma omp parallel
#pragma omp single
  {
    got = fib(20);
    fill(all, 4);
    watched(&some, 4);
    scatter(all, 8);
  }
  return got != 6765;
}

// CHECK-LABEL: define {{.*}}@fib.takt_tasks(
// CHECK: icmp slt
// CHECK: subq %rsp
// CHECK: br i1 %{{.*}}, label %[[FREE:.*]], label %[[PUSHING:.*]], !prof
// CHECK: [[PUSHING]]:
// CHECK-NEXT: %[[ALL:.*]] = call i32 @fib.takt_pushing(i32 noundef %{{[a-z0-9]*}})
// CHECK-NEXT: ret i32 %[[ALL]]
// CHECK: [[FREE]]:
// CHECK-NOT: asm
// CHECK-NOT: call {{.*}}@takt_
// TUNED: call i32 @fib.takt_tasks.takt_unasked(
// CHECK: call i32 @fib.takt_tasks(
// CHECK-NOT: asm
// CHECK-NOT: call {{.*}}@takt_
// CHECK: {{^}}}

// CHECK-LABEL: define {{.*}}@fill.takt_tasks(
// CHECK-NOT: icmp eq
// CHECK: subq %rsp
// CHECK: call void @fill.takt_pushing(
// CHECK: store i32
// CHECK: icmp eq

// CHECK-LABEL: define {{.*}}@watched.takt_tasks(
// CHECK-NOT: memcpy
// CHECK: subq %rsp
// CHECK: call i32 @watched.takt_pushing(
// CHECK: memcpy{{.*}}, i1 true)
// CHECK: icmp slt

// CHECK-LABEL: define {{.*}}@scatter.takt_tasks(
// CHECK-NOT: takt_pushing
// CHECK: icmp slt
// CHECK: subq %rsp
// CHECK: takt_omp_drain

// CHECK-LABEL: define {{.*}}@fib.takt_pushing(
// CHECK-NOT: subq %rsp
// CHECK: call i32 @fib.takt_under(
// CHECK: call void @takt_omp_drain(
// CHECK: {{^}}}
