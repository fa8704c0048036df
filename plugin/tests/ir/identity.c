// A function that looks at the number of its thread, and that other files can call, is announced when the program
// starts: loops that may reach it are then left to the OpenMP runtime.
// RUN: %ir %s | %takt | %check
// RUN: %ir -DNOBODY_ELSE=static %s | %takt | %check --check-prefix=OWN
#ifndef NOBODY_ELSE
#define NOBODY_ELSE
#endif
int omp_get_thread_num(void);
NOBODY_ELSE int number(void) { return omp_get_thread_num(); }
int main(void) { return number(); }
// CHECK: @takt.who = private {{.*}}c"number in {{.*}}identity.c: it reaches a call of omp_get_thread_num\00"
// CHECK: @llvm.global_ctors = appending global {{.*}} @takt.threads_matter
// CHECK: define internal void @takt.threads_matter()
// CHECK: call void @takt_omp_threads_matter(ptr @takt.who)
// OWN-NOT: takt
