// A taskgroup that may be cancelled is a scope: it begins behind what was made before, and its tasks ask before they
// begin.
// RUN: %ir %s | %takt | %check
// Where no task cancels there is nothing of it.
// RUN: %ir -DNONE %s | %takt | %check --check-prefix=NONE
// NONE-NOT: takt_omp_group
void work(int);

void searches(int n) {
// The region is none of a group around it.
// CHECK-LABEL: define internal void @searches.omp_outlined.takt(
// CHECK: call void @takt_omp_group_begin(ptr %{{.*}})
// CHECK: call void @takt_omp_drain(
// CHECK: call void @takt_omp_group_begin(ptr %{{.*}})
// CHECK: call void @takt_omp_drain(
// CHECK: call void @takt_omp_group_end()
// CHECK: call void @takt_omp_drain(
// CHECK: call void @takt_omp_group_end()
// CHECK-NEXT: ret void
// CHECK-LABEL: define internal i32 @.omp_task_entry.{{.*}}.takt(
// CHECK: %[[OVER:.*]] = call i32 @takt_omp_group_is_cancelled()
// CHECK-NEXT: icmp ne i32 %[[OVER]], 0
// CHECK: ret i32 0
// CHECK: %[[ON:.*]] = call i32 @omp_get_cancellation()
// CHECK-NEXT: call i32 @takt_omp_group_cancel(i32 %[[ON]])
// CHECK: call i32 @takt_omp_group_is_cancelled()
// CHECK: {{^[}]$}}
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; ++i) {
#pragma omp task
      work(i);
      work(0);
    }
#pragma omp taskgroup
    for (int i = 0; i < n; ++i) {
#pragma omp task
      {
        work(i);
#ifndef NONE
        if (i == 7) {
#pragma omp cancel taskgroup
        }
#endif
#pragma omp cancellation point taskgroup
        work(2);
      }
      work(0);
    }
  }
}
