// What the destructor of a task's private variable reaches counts, whatever the code behind it does.
// RUN: %remarks -x c++ %s 2>&1 | %check
static thread_local int mine;
struct held {
  held();
  held(const held&);
  ~held() { ++mine; }
};
void work(const held&);
void region() {
  held h;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches the thread-local variable {{.*}}mine
#pragma omp parallel
#pragma omp single
  {
#pragma omp task firstprivate(h)
    work(h);
  }
}
