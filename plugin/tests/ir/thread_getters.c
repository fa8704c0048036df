// What a thread is given of its own is not carried over a loop: another one may run the iterations.
// RUN: %remarks %s 2>&1 | %check
void use(const void *own, int i);

// Other functions that are not seen make objects.
void *make(void);
void makes(int n) {
// CHECK: [[@LINE+1]]:1: remark: the parallel loop became a takt loop
#pragma omp parallel
  {
    void *mine = make();
#pragma omp for
    for (int i = 0; i < n; ++i) use(mine, i);
  }
}

#define GETTER(type, name, given, argument)                        \
  type name given;                                                 \
  void with_##name(int n) {                                        \
    _Pragma("omp parallel") {                                      \
      const void *mine = (const void *)name argument;              \
      _Pragma("omp for") for (int i = 0; i < n; ++i) use(mine, i); \
    }                                                              \
  }
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of __errno_location
GETTER(int *, __errno_location, (void), ())
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of __h_errno_location
GETTER(int *, __h_errno_location, (void), ())
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of uselocale
GETTER(void *, uselocale, (void *), (0))
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of __cxa_get_globals
GETTER(void *, __cxa_get_globals, (void), ())
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of __cxa_get_globals_fast
GETTER(void *, __cxa_get_globals_fast, (void), ())
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of pthread_getspecific
GETTER(void *, pthread_getspecific, (unsigned), (0))
int getcpu(unsigned *cpu, unsigned *node);
void cpus(int n) {
// CHECK: [[@LINE+1]]:1: remark: {{.*}} stays with the OpenMP runtime: it reaches a call of getcpu
#pragma omp parallel for
  for (int i = 0; i < n; ++i) use(0, getcpu(0, 0));
}
