// A task that takes part in a reduction of a taskgroup elsewhere asks the OpenMP runtime for the innermost one of its thread: who
// calls it, through a pointer or from another file, has to stay with that runtime.
// RUN: %ir %s | %takt | %check
extern long x;
void other(long i) {
#pragma omp task in_reduction(+ : x)
  x += i;
}
// CHECK: @llvm.global_ctors = {{.*}} @takt.threads_matter
// CHECK-NOT: @other.takt_tasks
