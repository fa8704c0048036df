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

// The OpenMP runtime calls it as Clang made it: a task in it would take part in nothing that takt knows.
static long total;
struct adds {
  adds();
  adds(const adds&);
  ~adds() {
#pragma omp task in_reduction(+ : total)
    ++total;
  }
};
void use(const adds&);
void reduced() {
  adds a;
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches tasks in what copies, combines or destroys variables
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : total)
  {
#pragma omp task firstprivate(a)
    use(a);
  }
}
