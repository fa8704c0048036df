// Regions with tasks that stay as they are, and why.
// RUN: %remarks %s 2>&1 | %check
// RUN: %remarks -g %s 2>&1 | %check
// RUN: %ir %s | %takt | %check --check-prefix=IR
#include <omp.h>
void work(int);
static void numbered(void) {
#pragma omp task
  work(omp_get_thread_num());
}
static void locked(omp_lock_t *l) {
  omp_set_lock(l);
#pragma omp task
  work(1);
  omp_unset_lock(l);
}
static int sum;
static void add(void) {
#pragma omp task in_reduction(+ : sum)
  sum += 1;
}
// It cannot be told the group.
static void add_all(const char *names, ...) {
  for (; *names != 0; ++names) add();
}
static _Thread_local int mine;
static void keep(int *to, int *from) { *to += *from + mine; }
#pragma omp declare reduction(kept : int : keep(&omp_out, &omp_in)) initializer(omp_priv = 0)
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
static int compare(const void *a, const void *b) {
#pragma omp taskwait
  return *(const int *)a - *(const int *)b;
}
struct many {
  long of[9];
};
static void add_many(struct many *to, const struct many *from) { to->of[0] += from->of[0]; }
#pragma omp declare reduction(all : struct many : add_many(&omp_out, &omp_in))
int look_at(const struct many *) __attribute__((pure));
// Each thread would do that to its own copy.
void beside(int x, struct many m, double _Complex z, int *v) {
  int a[3] = {0};
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(+ : x)
  {
    x = 1;
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(task, + : x)
  {
#pragma omp single
    {
#pragma omp task in_reduction(+ : x)
      x += 2;
    }
    int kept = x;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(all : m)
  {
    m = (struct many){{1}};
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(all : m)
  {
    look_at(&m);
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(+ : z)
  {
    __real__ z = 1;
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(+ : a)
  {
    int *in = a + 1;
    *in += 1;
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct uses a variable reduced over the region
#pragma omp parallel reduction(+ : v[1 : x])
  {
    v[1] = 1;
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
}
// A group for each iteration would be dear.
void long_ones(int n, long *v) {
  long a[32] = {0}, b[33] = {0}, s = 0;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its loops reduces over tasks what is long, or of a length known only at run time
#pragma omp parallel for reduction(task, + : v[0 : n])
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : v[0 : n])
    v[n - i] += i;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} one of its loops reduces over tasks what is long, or of a length known only at run time
#pragma omp parallel for reduction(task, + : s, b)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s, b)
    b[i % 33] += s++;
  }
// CHECK: [[@LINE+1]]:1: remark: the parallel region runs as a team of one
#pragma omp parallel for reduction(task, + : s, a)
  for (int i = 0; i < n; ++i) {
#pragma omp task in_reduction(+ : s, a)
    a[i % 32] += s++;
  }
}
// Clang gives one element's bytes to a section with constant bounds.
void too_short(int n, long *v, long (*w)[30]) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a reduction over tasks of a section to which Clang gives too few bytes
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : v[1 : 3])
  {
#pragma omp task in_reduction(+ : v[1 : 3])
    v[2] += 1;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a reduction over tasks of a section to which Clang gives too few bytes
#pragma omp parallel for reduction(task, + : n, w[0 : 1][0 : 30])
  for (int i = 0; i < 9; ++i) {
#pragma omp task in_reduction(+ : n, w[0 : 1][0 : 30])
    w[0][i] += n++;
  }
}
// How many there are, no number of bytes tells.
typedef struct {
} nothing;
#pragma omp declare reduction(none : nothing : (void)omp_in) initializer(omp_priv = (nothing){})
void without_size(int n) {
  nothing of[n];
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a reduction over tasks of an array whose length is known only at run time
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(none : of)
  {
#pragma omp task in_reduction(none : of)
    (void)of[n - 1];
  }
}
void regions(int x, omp_lock_t *l, int *v) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel
#pragma omp single
  numbered();
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a parallel region or a task while it holds a lock
#pragma omp parallel
#pragma omp single
  locked(l);
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a task that takes part in a reduction of a taskgroup in another function
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  add_all("ab", x, x);
// CHECK: [[@LINE+1]]:1: remark: {{.*}} each of its threads makes tasks
#pragma omp parallel reduction(task, + : x)
  {
#pragma omp single
    work(x);
#pragma omp task in_reduction(+ : x)
    x += 1;
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches the thread-local variable mine
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(kept : x)
  {
#pragma omp task in_reduction(kept : x)
    work(x);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} each of its threads makes tasks
#pragma omp parallel
  {
#pragma omp task
    work(x);
#pragma omp single
    work(2);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} code beside its single construct may have effects
#pragma omp parallel shared(x)
  {
    x = 5;
#pragma omp single
    {
#pragma omp task
      work(2);
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it can be cancelled
#pragma omp parallel for
  for (int i = 0; i < 9; ++i) {
#pragma omp task
    work(2);
#pragma omp cancel for
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of __kmpc_task_allow_completion_event
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t done;
#pragma omp task detach(done)
    work(2);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches tasks in a function that qsort calls
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    work(2);
    qsort(v, x, sizeof *v, compare);
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a parallel region with num_threads
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    work(2);
#pragma omp parallel for num_threads(x)
    for (int j = 0; j < x; ++j) v[j] = j;
  }
// A parallel region in an iteration that has tasks is converted itself; the one around it is not.
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a parallel region beside its tasks
#pragma omp parallel for
  for (int i = 0; i < x; ++i) {
#pragma omp task
    work(2);
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel for
    for (int j = 0; j < x; ++j) v[j] = j;
  }
}
// IR-NOT: @takt_omp_run_tasks
// IR-NOT: .takt_tasks
