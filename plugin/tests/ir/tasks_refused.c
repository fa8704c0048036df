// Regions with tasks that stay as they are, and why.
// RUN: %remarks %s 2>&1 | %check
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
void regions(int x, omp_lock_t *l) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of omp_get_thread_num
#pragma omp parallel
#pragma omp single
  numbered();
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of omp_set_lock
#pragma omp parallel
#pragma omp single
  locked(l);
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a depend clause
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
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
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of __kmpc_cancel
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
        work(2);
#pragma omp cancel taskgroup
      }
    }
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} it reaches a call of __kmpc_task_allow_completion_event
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t done;
#pragma omp task detach(done)
    work(2);
  }
}
// IR-NOT: @takt_omp_run_tasks
// IR-NOT: .takt_tasks
