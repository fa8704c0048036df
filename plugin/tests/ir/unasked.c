// A function that asks once whether its tasks are free, and calls itself more than once, does so at every second level:
// what it calls, but for the last time, is a copy that does not ask. LLVM inlines it, or it goes.
// REQUIRES: tuning
// RUN: %ir %s | %takt | %check
// RUN: %ir -g %s | %takt -o /dev/null
// RUN: %ir %s | %optimised | %check --check-prefix=LAST

int few(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = few(n - 1);
  b = few(n - 2);
#pragma omp taskwait
  return a + b;
}

// Too much to be inlined.
int much(int n, int *to) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = much(n - 1, to + 1);
  b = much(n - 2, to + 2);
#pragma omp taskwait
#pragma clang loop unroll(full)
  for (int i = 0; i < 100; ++i) to[i * 3 % 7] ^= a * i + to[i * 5 % 11] % (b + 1);
  return a + b;
}

// There may be any number of calls behind one question.
int many(int n) {
  if (n < 2) return n;
  int a, b = 0;
#pragma omp task shared(a)
  a = many(n - 1);
  for (int i = 2; i < n; ++i) b += many(n - i);
#pragma omp taskwait
  return a + b;
}

// Through functions of the program, of which there may be many ways: they are left to LLVM.
static int one(int n);
static int other(int n);
int through(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = one(n - 1);
  b = other(n - 2);
#pragma omp taskwait
  return a + b;
}
static int one(int n) { return n % 3 == 0 ? other(n - 1) : through(n); }
static int other(int n) { return n % 3 == 1 ? one(n - 1) : through(n); }

// A task with large variables of its own would make the whole function's frame as large.
void fill(int *to, int n);
int roomy(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  {
    int room[1000];
    fill(room, n);
    a = roomy(n - 1) + room[n];
  }
  b = roomy(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int got = 0, room[64] = {0};
#pragma omp parallel
#pragma omp single
  got = few(20) + much(5, room) + many(5) + through(9) + roomy(5);
  return got == 0;
}

// CHECK-LABEL: define {{.*}}@few.takt_tasks(
// CHECK: subq %rsp
// CHECK-NOT: call i32 @few.takt_tasks(
// CHECK: call i32 @few.takt_tasks.takt_unasked(
// CHECK-NOT: call i32 @few.takt_tasks.takt_unasked(
// CHECK: call i32 @few.takt_tasks(
// CHECK: {{^}}}

// The call in the loop stays.
// CHECK-LABEL: define {{.*}}@many.takt_tasks(
// CHECK: subq %rsp
// CHECK: call i32 @many.takt_tasks.takt_unasked(
// CHECK-NOT: takt_unasked
// CHECK: call i32 @many.takt_tasks(
// CHECK: {{^}}}

// CHECK-LABEL: define {{.*}}@through.takt_tasks(
// CHECK: subq %rsp
// CHECK: call i32 @other.takt(
// CHECK: {{^}}}

// CHECK-LABEL: define {{.*}}@roomy.takt_tasks(
// CHECK-NOT: [1000 x i32]
// CHECK: subq %rsp
// CHECK: {{^}}}

// CHECK-LABEL: define internal i32 @few.takt_tasks.takt_unasked(
// CHECK-NOT: asm
// CHECK-NOT: takt_pushing
// CHECK: call i32 @few.takt_tasks(
// CHECK: call i32 @few.takt_tasks(
// CHECK: {{^}}}

// LAST-NOT: @{{[^ ]*}}takt_unasked
// LAST-LABEL: define {{.*}}@few.takt_tasks(
// LAST: subq %rsp
// LAST: call {{.*}}@few.takt_tasks(
// LAST: call {{.*}}@few.takt_tasks(
// LAST: {{^}}}
// LAST-LABEL: define {{.*}}@much.takt_tasks(
// LAST: call {{.*}}@much.takt_tasks(
// LAST: call {{.*}}@much.takt_tasks(
// LAST-NOT: call {{.*}}@much.takt_tasks(
// LAST: {{^}}}
// LAST-NOT: @{{[^ ]*}}takt_unasked
