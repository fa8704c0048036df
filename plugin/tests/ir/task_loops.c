// A loop that does nothing but make a task in each iteration, with a wait behind it: its iterations become a function of
// any range of them, which the runtime asks for unless the loop is free.
// RUN: %ir %s | %takt | %check

int work(int i);
// CHECK-LABEL: define internal void @plain.omp_outlined.takt(
// CHECK: %[[COUNT:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 0
// The band is asked once.
// CHECK: br i1 %{{.*}}, label %[[FREE:.*]], label %[[ASKED:.*]], !prof
// CHECK: [[FREE]]:
// CHECK-NEXT: call void @plain.omp_outlined.takt.iterations(
// CHECK: [[ASKED]]:
// CHECK: call void @takt_omp_loop_of_tasks(ptr @plain.omp_outlined.takt.iterations.takt_site, ptr @plain.omp_outlined.takt.iterations.range, ptr %{{.*}}, i64 %[[COUNT]], ptr null, i32 0)
// CHECK-NOT: @takt_omp_drain
// CHECK: ret void
void plain(int n, int *to) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i) {
#pragma omp task
    to[i] = i * i;
  }
}

// A counter that goes down, an iteration without a task, and a variable of each iteration.
// CHECK-LABEL: define internal void @forms.omp_outlined.takt(
// CHECK: call void @takt_omp_loop_of_tasks(
// CHECK: call void @takt_omp_loop_of_tasks(
// CHECK: call void @takt_omp_loop_of_tasks(
// CHECK: ret void
void forms(int n, const int *from, int *to) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = n - 1; i >= 0; i -= 2) {
      if (from[i] == 0) continue;
      int twice = from[i] * 2;
#pragma omp task
      to[i] = twice;
    }
#pragma omp taskwait
    for (unsigned i = 3; i != (unsigned)n; ++i) {
#pragma omp task
      to[i] = (int)i;
    }
#pragma omp taskwait
#pragma omp taskgroup
    for (long i = 0; n > i; ++i) {
#pragma omp task final(i > 5)
      to[i] = (int)i;
    }
  }
}

static long sum(int n, const int *from) {
  long s = 0;
#pragma omp taskgroup task_reduction(+ : s)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s)
    s += from[i];
  }
  return s;
}
long all(int n, const int *from) {
  long s = 0;
#pragma omp parallel
#pragma omp single
  s = sum(n, from);
  return s;
}

// Not these: no wait comes next; a call, an effect, and what one iteration leaves to the next; a task that may run at
// once beside the loop, or depends on others; two tasks; an end that is not known; a counter that others know.
// CHECK-LABEL: define internal void @others.omp_outlined.takt(
// CHECK-NOT: @takt_omp_loop_of_tasks
// CHECK: ret void
int limit(void);
void others(int n, int *to) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; ++i) {
#pragma omp task
      to[i] = i;
    }
#pragma omp task
    to[n] = 1;
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
      int x = limit();
#pragma omp task
      to[i] = x;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
      to[i] = 0;
#pragma omp task
      to[i] += i;
    }
#pragma omp taskwait
    for (int i = 0, last = 0; i < n; ++i) {
#pragma omp task firstprivate(last)
      to[i] = last;
      last += i;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
#pragma omp task if (i > 5)
      to[i] = i;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
#pragma omp task depend(inout : to[0])
      to[0] += i;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
#pragma omp task
      to[i] = i;
#pragma omp task
      to[i + n] = i;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
      if (to[i] == 7) break;
#pragma omp task
      to[i + n] = i;
    }
#pragma omp taskwait
    for (int i = 1; i < n; i *= 2) {
#pragma omp task
      to[i] = i;
    }
#pragma omp taskwait
    for (unsigned i = 0; i <= (unsigned)n; ++i) {
#pragma omp task
      to[i] = i;
    }
#pragma omp taskwait
    for (int i = 0; i < n; ++i) {
#pragma omp task shared(i)
      to[i] = i;
    }
#pragma omp taskwait
  }
}

// The part of a loop that runs elsewhere gets its own group; who waits for it is told by the number.
// CHECK-LABEL: define internal i64 @sum.takt(
// CHECK: %[[GROUP:.*]] = load ptr, ptr %[[TOLD:.*]], align
// CHECK: call void @takt_omp_loop_of_tasks({{.*}}, ptr %[[GROUP]], i32 %{{.*}})
// CHECK: call void @takt_omp_combine(

// Any range of the iterations, each of which is claimed if there is a frame.
// CHECK-LABEL: define internal void @plain.omp_outlined.takt.iterations(
// CHECK: icmp ult i64
// CHECK: icmp eq ptr %[[FRAME:.*]], null
// CHECK: store volatile i64 %[[NEXT:.*]], ptr %[[FRAME]]
// CHECK: %[[END:.*]] = load volatile i64, ptr
// CHECK: icmp ugt i64 %[[NEXT]], %[[END]]
// CHECK: ret void
// CHECK-LABEL: define internal i64 @plain.omp_outlined.takt.iterations.range(
// CHECK: call void @plain.omp_outlined.takt.iterations(
// CHECK: ret i64
