// Regions and loops with tasks that stay with the OpenMP runtime, whose answer must be right: small cases.
#ifdef _OPENMP
#include <omp.h>
#else
typedef long omp_depend_t;
typedef long omp_event_handle_t;
typedef long omp_lock_t;
static void omp_fulfill_event(omp_event_handle_t event) { (void)event; }
static void omp_init_lock(omp_lock_t* lock) { (void)lock; }
static void omp_set_lock(omp_lock_t* lock) { (void)lock; }
static void omp_unset_lock(omp_lock_t* lock) { (void)lock; }
static void omp_destroy_lock(omp_lock_t* lock) { (void)lock; }
static int omp_in_final(void) { return 1; }
static int omp_get_thread_num(void) { return 0; }
static int omp_get_num_threads(void) { return 1; }
#endif

#include "cases.h"

enum { few = 100 };

/* The body of a region that one thread runs. */
#define ONE_THREAD _Pragma("omp parallel") _Pragma("omp single")

static long mine;
#pragma omp threadprivate(mine)

CASE(each_thread_makes_one) {
  long s = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp task shared(s)
    s += 1;
#pragma omp for
    for (int i = 0; i < few; ++i) v[i] = i;
  }
  return s + taken();
}
CASE(each_thread_runs_a_taskloop) {
#pragma omp parallel num_threads(1)
  {
#pragma omp taskloop
    for (int i = 0; i < few; ++i) v[i] += i;
#pragma omp for
    for (int i = 0; i < few; ++i) v[i] *= 2;
  }
  return taken();
}
static void numbered(int i) {
#pragma omp task
  v[i] = omp_get_thread_num() >= 0;
}
CASE(thread_number_in_a_task_of_an_iteration) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) numbered(i);
  return taken();
}
CASE(thread_number_in_a_task_beside_a_loop) {
#pragma omp parallel
  {
#pragma omp single
    numbered(0);
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] + i;
  }
  return taken();
}
CASE(number_of_threads_in_the_loop_beside_tasks) {
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task
      v[0] = fib(8);
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] + (omp_get_num_threads() > 0);
  }
  return taken();
}
CASE(threadprivate_in_a_task_of_an_iteration) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
#pragma omp task
    {
      mine = i;
      v[i] = mine;
    }
#pragma omp taskwait
  }
  return taken();
}
CASE(a_private_variable_shared_with_a_task) {
#pragma omp parallel
  {
    long k = 3;
#pragma omp single
    {
#pragma omp task shared(k)
      k = 4;
#pragma omp taskwait
      v[0] = k;
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] + i + (k > 2);
  }
  return taken();
}
CASE(ordered_iterations_with_tasks) {
  long s = 0;
#pragma omp parallel for ordered
  for (int i = 0; i < few; ++i) {
#pragma omp task
    v[i] = fib(i % 7);
#pragma omp taskwait
#pragma omp ordered
    s = (s * 3 + v[i]) % 1009;
  }
  return s + taken();
}
CASE(a_task_in_a_critical_section_of_an_iteration) {
  long c = 0;
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
#pragma omp critical
    {
#pragma omp task shared(c) if (0)
      c += i;
#pragma omp taskwait
    }
  }
  return c;
}
CASE(cancelled) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
#pragma omp task
    v[i] = i;
#pragma omp cancel for if (i < 0)
  }
  return taken();
}
CASE(a_region_in_a_task) {
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task
      {
#pragma omp parallel for
        for (int i = 0; i < few; ++i) v[i] = i;
      }
    }
#pragma omp for
    for (int i = 0; i < few; ++i) v[i + few] = v[i] * 2;
  }
  return taken();
}
CASE(both_inside_another_region) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp parallel
    {
#pragma omp single
      {
#pragma omp task
        v[0] = 7;
      }
#pragma omp for
      for (int i = 1; i < few; ++i) v[i] = v[0] + i;
    }
  }
  return taken();
}
CASE(effects_beside_the_constructs) {
  long each = 0;
#pragma omp parallel num_threads(1)
  {
    each += 1;
#pragma omp single
    {
#pragma omp task
      v[0] = 1;
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] + i;
  }
  return each + taken();
}
CASE(depend_objects) {
  long a = 1;
  omp_depend_t object;
  ONE_THREAD {
#pragma omp depobj(object) depend(inout : a)
#pragma omp task shared(a) depend(depobj : object)
    a = a * 3 + fib(7);
#pragma omp task shared(a) depend(depobj : object)
    a = a * 5;
#pragma omp taskwait
#pragma omp depobj(object) destroy
  }
  return a;
}
CASE(detached) {
  long a = 0;
  ONE_THREAD {
    omp_event_handle_t event = 0;
#pragma omp task shared(a) detach(event)
    {
      a = 7;
      omp_fulfill_event(event);
    }
#pragma omp taskwait
  }
  return a;
}
CASE(locks_around_tasks) {
  long s = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task shared(s, lock)
    {
      omp_set_lock(&lock);
#pragma omp task shared(s)
      {
#pragma omp atomic
        s += i;
      }
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  return s;
}
CASE(in_final) {
  long a = 0;
  ONE_THREAD {
#pragma omp task shared(a) final(1)
    a = omp_in_final() * fib(5);
  }
  return a;
}
CASE(assembly_beside_tasks) {
  long a = 0, b = 4;
  ONE_THREAD {
    __asm__("" : "+r"(b));
#pragma omp task shared(a)
    a = b * 2;
  }
  return a;
}

int main(void) {
  RUN(each_thread_makes_one);
  RUN(each_thread_runs_a_taskloop);
  RUN(thread_number_in_a_task_of_an_iteration);
  RUN(thread_number_in_a_task_beside_a_loop);
  RUN(number_of_threads_in_the_loop_beside_tasks);
  RUN(threadprivate_in_a_task_of_an_iteration);
  RUN(a_private_variable_shared_with_a_task);
  RUN(ordered_iterations_with_tasks);
  RUN(a_task_in_a_critical_section_of_an_iteration);
  RUN(cancelled);
  RUN(a_region_in_a_task);
  RUN(both_inside_another_region);
  RUN(effects_beside_the_constructs);
  RUN(depend_objects);
  RUN(detached);
  RUN(locks_around_tasks);
  RUN(in_final);
  RUN(assembly_beside_tasks);
  return 0;
}
// converted: 2 loops, 1 regions, 18 left
