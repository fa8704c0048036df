// A task may take part in a reduction of a taskgroup in another function: what may lead to such a task is told the
// innermost group, functions by a parameter, tasks in their record. All else is as it was.
// RUN: %ir %s | %takt | %check
// RUN: %ir %s | %takt | %check --check-prefix=WITHOUT
// RUN: %remarks %s 2>&1 | %check --check-prefix=REMARK
static long x;
void leaf(long);
static void add(long i) {
#pragma omp task in_reduction(+ : x)
  x += i;
}
static void hand_on(long i) {
#pragma omp task
  {
    add(i);
  }
}
static void beside(long i) {
#pragma omp task
  leaf(i);
}
long group(long i) {
  long y = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : x)
  {
    hand_on(i);
#pragma omp taskgroup task_reduction(+ : y)
    {
      beside(i);
      add(i);
    }
    hand_on(i + 1);
  }
  return x + y;
}
// A function that other files may call could not be told a group: they call it as Clang made it.
void offered(long i) { add(i); }

// Outside a region Clang reads the group of such a task from a variable that nobody sets: it is the one in which the task
// is made.
static long without(int n) {
  long s = 0;
#pragma omp taskgroup task_reduction(+ : s)
  {
#pragma omp task shared(s)
    {
#pragma omp task in_reduction(+ : s)
      s += n;
    }
  }
  return s;
}
long of_task(int n) {
  long s = 0;
// REMARK: [[@LINE+1]]:1: remark: the parallel region runs as a call; its tasks became latent frames
#pragma omp parallel
#pragma omp single
  s = without(n);
  return s;
}

// Its tasks have copies wherever they run: the variable of the other group is not theirs.
static long both(int n) {
  long own = 0;
#pragma omp taskgroup task_reduction(+ : own)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : own, x)
    x += ++own;
  }
  return own;
}
void of_both(int n) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : x)
  both(n);
}

// No group is around a region.
// CHECK-LABEL: define internal void @group.omp_outlined.takt(ptr
// CHECK-COUNT-2: store ptr null, ptr %
// CHECK-NEXT: store ptr %0,
// CHECK: call void @llvm.memset
// CHECK-NEXT: %[[NONE:.*]] = load ptr, ptr %[[GROUP:.*]], align 8
// CHECK-NEXT: getelementptr inbounds { ptr, ptr, i64, ptr }, ptr %[[OUTER:.*]], i32 0, i32 0
// CHECK: store ptr %[[NONE]],
// CHECK: store ptr %[[OUTER]], ptr %[[GROUP]]
// CHECK: %[[FIRST:.*]] = load ptr, ptr %[[GROUP]]
// CHECK: call void @hand_on.takt(i64 noundef %{{.*}}, ptr %[[FIRST]])
// CHECK: %[[AROUND:.*]] = load ptr, ptr %[[GROUP]]
// CHECK: getelementptr inbounds { ptr, ptr, i64, ptr }, ptr %[[INNER:.*]], i32 0, i32 0
// CHECK: store ptr %[[AROUND]],
// CHECK: store ptr %[[INNER]], ptr %[[GROUP]]
// CHECK: call void @beside.takt(i64 noundef %{{[0-9]*}})
// CHECK: %[[SECOND:.*]] = load ptr, ptr %[[GROUP]]
// CHECK: call void @add.takt(i64 noundef %{{.*}}, ptr %[[SECOND]])
// CHECK: store ptr %[[AROUND]], ptr %[[GROUP]]
// CHECK: call void @takt_omp_combine(ptr %[[INNER]])
// CHECK: %[[THIRD:.*]] = load ptr, ptr %[[GROUP]]
// CHECK: call void @hand_on.takt(i64 noundef %{{.*}}, ptr %[[THIRD]])
// CHECK: store ptr %[[NONE]], ptr %[[GROUP]]
// CHECK: call void @takt_omp_combine(ptr %[[OUTER]])
// CHECK: }

// CHECK-LABEL: define internal i64 @both.takt(
// CHECK-NOT: .takt(i32 1,
// CHECK-NOT: @takt_omp_drain_here
// CHECK-LABEL: define internal i32 @.omp_task_entry

// CHECK-LABEL: define internal i64 @without.takt(i32 noundef %0, ptr %1)
// In the task around it: no variable that nobody sets.
// CHECK-LABEL: define internal void @.omp_outlined..11.takt_pushing(
// CHECK-NOT: @without..task_red.
// CHECK: store ptr %6, ptr %[[GROUP:[0-9]+]], align 8
// CHECK-NOT: @without..task_red.
// CHECK: load ptr, ptr %[[GROUP]]
// CHECK-NOT: @without..task_red.
// CHECK-LABEL: define internal

// It has the variable's address and the group in its slot.
// CHECK-LABEL: define internal void @add.takt_pushing(i64 noundef %0, ptr %1)
// CHECK: store ptr %1, ptr %[[GROUP:[0-9]+]], align 8
// CHECK: %[[MADE_IN:.*]] = load ptr, ptr %[[GROUP]]
// CHECK-NEXT: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %[[RECORD:.*]], i64 8
// CHECK-NEXT: store ptr %[[MADE_IN]], ptr %[[PLACE]]
// CHECK: %[[FROM:.*]] = getelementptr inbounds i8, ptr %[[RECORD]], i64 8
// CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %{{.*}}, ptr align 8 %[[FROM]], i64 8, i1 false)

// CHECK-LABEL: define internal i32 @.omp_task_entry..8.takt(i32 noundef %0, ptr noalias noundef %1)
// CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %1, i64 8
// CHECK-NEXT: %[[MADE_IN:.*]] = load ptr, ptr %[[PLACE]]
// CHECK-NEXT: store ptr %[[MADE_IN]], ptr %[[GROUP:[0-9]+]], align 8
// CHECK: %[[GIVEN:.*]] = load ptr, ptr %[[GROUP]]
// CHECK-NEXT: call void @.omp_outlined..6.takt({{.*}}, ptr %[[GIVEN]])
// CHECK-LABEL: define internal void @.omp_outlined..6.takt(
// CHECK: call ptr @takt_omp_borrow(ptr %{{.*}}, ptr %{{.*}})

// WITHOUT-NOT: @offered.takt_tasks
// WITHOUT-NOT: define internal void @beside.takt{{.*}}, ptr
