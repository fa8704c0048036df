// Tasks beside loops in one region, and in iterations: small cases.
#include "cases.h"

enum { few = 100 };

CASE(tasks_of_a_single_then_a_loop) {
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(i)
      v[i] = fib(i % 9);
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] += i;
  }
  return taken();
}
CASE(a_loop_then_tasks_of_a_single) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i;
#pragma omp single
    for (int i = 0; i < n; i += 10) {
#pragma omp task
      for (int k = i; k < i + 10; ++k) v[k] *= 3;
    }
  }
  return taken();
}
CASE(single_nowait_and_a_loop_on_other_memory) {
  long s = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task shared(s)
      s = fib(12);
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = i * 7;
  }
  return s + taken();
}
CASE(master_barrier_and_a_loop) {
#pragma omp parallel
  {
#pragma omp master
    {
#pragma omp taskgroup
      for (int i = 0; i < few; ++i) {
#pragma omp task
        v[i] = i;
      }
    }
#pragma omp barrier
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < few; ++i) v[i + few] = v[i] + 1;
  }
  return taken();
}
CASE(masked_and_a_loop) {
#pragma omp parallel
  {
#pragma omp masked
    {
#pragma omp task
      v[0] = fib(9);
#pragma omp taskwait
    }
#pragma omp barrier
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] + i;
  }
  return taken();
}
CASE(two_singles_around_a_loop) {
  long a = 0, b = 0;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task shared(a)
      a = fib(10);
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = a + i;
#pragma omp single
    {
#pragma omp task shared(b)
      b = v[n - 1] + fib(8);
    }
  }
  return a + b + taken();
}
CASE(taskloop_of_a_single_and_a_loop) {
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp taskloop grainsize(16)
      for (int i = 0; i < n; ++i) v[i] = i;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) v[i] = v[i] * v[i] % 91;
  }
  return taken();
}
CASE(reduction_over_tasks_and_a_loop) {
  long s = 0;
#pragma omp parallel
  {
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < few; ++i) {
#pragma omp task in_reduction(+ : s)
      s += i;
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < few; ++i) s += 2;
  }
  return s;
}
CASE(dependences_of_a_single_and_a_loop) {
  long a = 1;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task shared(a) depend(out : a)
      a = 5;
#pragma omp task shared(a) depend(inout : a)
      a = a * 3;
#pragma omp task shared(a) depend(in : a)
      v[0] = a;
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] - i;
  }
  return a + taken();
}
CASE(rounds_of_both) {
#pragma omp parallel
  for (int round = 0; round < 5; ++round) {
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task
      v[i] += i + 1;
    }
#pragma omp for
    for (int i = 0; i < few; ++i) v[i + few] += v[i % 20];
  }
  return taken();
}
CASE(firstprivate_of_the_region_in_a_task) {
  long k = 4;
#pragma omp parallel firstprivate(k)
  {
#pragma omp single
    {
#pragma omp task
      v[0] = k * 2;
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = k + i;
  }
  return taken();
}
CASE(copyprivate_of_a_single_with_tasks) {
#pragma omp parallel
  {
    long k;
#pragma omp single copyprivate(k)
    {
#pragma omp task
      v[0] = fib(7);
#pragma omp taskwait
      k = v[0];
    }
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = k + i;
  }
  return taken();
}
CASE(waits_of_all_threads) {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task
      v[0] = 3;
    }
#pragma omp taskwait
#pragma omp barrier
#pragma omp taskyield
#pragma omp for
    for (int i = 1; i < few; ++i) v[i] = v[0] + i;
  }
  return taken();
}
CASE(a_loop_whose_iterations_call_tasks) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] = fib(i % 11);
  return taken();
}
CASE(a_loop_whose_iterations_make_and_wait) {
  long s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    long a = 0, b = 0;
#pragma omp task shared(a)
    a = i;
#pragma omp task shared(b)
    b = fib(i % 7);
#pragma omp taskwait
    s += a * b;
    v[i] = a + b;
  }
  return s + taken();
}
CASE(iterations_that_do_not_wait) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp task
    v[i] = i * 2;
  }
  return taken();
}
CASE(iterations_with_a_taskgroup) {
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < few; ++i) {
    long a[4];
#pragma omp taskgroup
    for (int k = 0; k < 4; ++k) {
#pragma omp task shared(a)
      a[k] = fib(k + i % 4);
    }
    v[i] = a[0] + a[1] * 2 + a[2] * 3 + a[3] * 4;
  }
  return taken();
}
CASE(iterations_with_a_taskloop) {
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < 30; ++i) {
#pragma omp taskloop
    for (int k = 0; k < 30; ++k) v[i * 30 + k] = i ^ k;
  }
  return taken();
}
CASE(iterations_with_a_reduction_over_tasks) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
    long s = 0;
#pragma omp taskgroup task_reduction(+ : s)
    for (int k = 0; k < i; ++k) {
#pragma omp task in_reduction(+ : s)
      s += k;
    }
    v[i] = s;
  }
  return taken();
}
CASE(iterations_with_dependences) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
    long a = 0;
#pragma omp task shared(a) depend(out : a)
    a = i;
#pragma omp task shared(a) depend(inout : a)
    a = a * 2 + 1;
#pragma omp taskwait
    v[i] = a;
  }
  return taken();
}
CASE(collapse_lastprivate_and_if) {
  long s = 0;
#pragma omp parallel for collapse(2) lastprivate(s) if (few > 3)
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 30; ++j) {
#pragma omp task
      v[i * 30 + j] = i + j;
      s = i * j;
    }
  }
  return s + taken();
}
CASE(firstprivate_and_private) {
  long k = 3, p;
#pragma omp parallel for firstprivate(k) private(p)
  for (int i = 0; i < few; ++i) {
    p = i * k;
#pragma omp task shared(p)
    p += 1;
#pragma omp taskwait
    v[i] = p;
  }
  return taken();
}
CASE(an_array_of_variable_length) {
#pragma omp parallel for
  for (int i = 1; i < 50; ++i) {
    long a[i];
    for (int k = 0; k < i; ++k) {
#pragma omp task shared(a)
      a[k] = k + i;
    }
#pragma omp taskwait
    for (int k = 0; k < i; ++k) v[i] += a[k];
  }
  return taken();
}
CASE(continue_and_early_ends) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
    if (i % 3 == 0) continue;
#pragma omp task
    v[i] = i;
    if (i % 5 == 0) continue;
#pragma omp task
    v[i + few] = i;
  }
  return taken();
}
CASE(critical_and_atomic_in_tasks_of_iterations) {
  long s = 0, c = 0;
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
#pragma omp task shared(s, c)
    {
#pragma omp atomic
      s += i;
#pragma omp critical(counts)
      c += 2;
    }
#pragma omp critical(counts)
    c += 1;
  }
  return s + c;
}
CASE(one_thread) {
  long s = 0;
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < few; ++i) {
#pragma omp task shared(s)
    s = s * 3 % 1009 + i;
  }
#pragma omp parallel if (s < 0)
  {
#pragma omp single
    {
#pragma omp task shared(s)
      s = s * 5 % 1009 + 1;
    }
#pragma omp for
    for (int i = 0; i < few; ++i) v[i] = s;
  }
  return s + taken();
}
CASE(sections_with_tasks) {
  long a = 0, b = 0, c = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = fib(12);
#pragma omp section
    {
#pragma omp task shared(b)
      b = fib(9);
    }
#pragma omp section
    c = 5;
  }
  return a + b * 1000 + c;
}
CASE(sections_and_a_single_in_one_region) {
  long a = 0, b = 0, c = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      a = fib(8);
#pragma omp section
      b = fib(9);
    }
#pragma omp single
    {
#pragma omp task shared(c)
      c = a + b;
    }
  }
  return a + b * 1000 + c;
}
static void orphan(int i) {
#pragma omp task
  v[i] = fib(i % 8);
}
CASE(functions_that_leave_tasks) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < few; ++i) orphan(i);
#pragma omp single
    for (int i = few; i < 2 * few; ++i) orphan(i);
#pragma omp for
    for (int i = 0; i < few; ++i) v[i] += v[i + few];
  }
  return taken();
}
CASE(loops_that_nest) {
#pragma omp parallel for
  for (int i = 0; i < 30; ++i) {
    long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int k = 0; k < few; ++k) s += k;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      v[i] = s + fib(i % 8);
    }
  }
  return taken();
}
CASE(steps_down_in_other_types) {
#pragma omp parallel for schedule(static, 3)
  for (unsigned char i = 200; i > 3; i -= 4) {
#pragma omp task
    v[i] = i;
  }
#pragma omp parallel for schedule(dynamic, 2)
  for (unsigned long i = few; i >= 7; i -= 7) {
#pragma omp task
    v[i] += (long)i;
  }
  return taken();
}
CASE(final_and_if_in_iterations) {
#pragma omp parallel for
  for (int i = 0; i < few; ++i) {
#pragma omp task final(i % 2) if (i % 3)
    {
      v[i] = i;
#pragma omp task
      v[i + few] = fib(i % 6);
#pragma omp taskwait
      v[i] += v[i + few];
    }
  }
  return taken();
}

/* What a private variable holds, from one execution to the next, where one thread runs them all. */
CASE(master_carries) {
  long s = 0;
#pragma omp parallel
  {
    long count, kept[4];
    for (int k = 0; k < 8; ++k) {
#pragma omp master
      {
        if (k == 0) count = 5;
        kept[k % 4] = k < 4 ? k + 1 : kept[k % 4] * 3;
        long f;
#pragma omp task shared(f)
        f = fib(5);
#pragma omp taskwait
        count += f;
        v[k] = count * 100 + kept[k % 4];
      }
#pragma omp for reduction(+ : s)
      for (int i = 0; i < 10; ++i) s += i * k;
    }
  }
  return s + taken();
}
CASE(a_team_of_one_carries) {
  long s = 0, x;
#pragma omp parallel for num_threads(1) private(x) reduction(+ : s)
  for (int i = 0; i < few; ++i) {
    if (i == 0) x = 3;
    long f;
#pragma omp task shared(f)
    f = fib(i % 5);
#pragma omp taskwait
    x = (x * 3 + f) % 1009;
    s += x * i;
  }
  const int zero = v[0] != 0;
#pragma omp parallel if (zero)
  {
    long y;
    for (int k = 0; k < 6; ++k) {
#pragma omp single
      {
        if (k == 0) y = 3;
#pragma omp task
        v[k] = k;
        y += fib(k);
        s = s * 5 + y;
      }
#pragma omp for
      for (int i = 10; i < few; ++i) v[i] += fib(i % 5);
    }
  }
  return s + taken();
}
static long* published;
static long fill(long x) {
  volatile long a[64];
  for (int i = 0; i < 64; ++i) a[i] = x + i;
  return a[x % 64] * 0;
}
CASE(single_and_master_publish) {
  long s = 0;
#pragma omp parallel
  {
    long buffer[10];
#pragma omp single
    {
      published = buffer;
      for (int i = 0; i < 10; ++i) published[i] = i;
#pragma omp task
      v[0] = fib(7);
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < few; ++i) s += published[i % 10] + fill(i);
  }
#pragma omp parallel
  {
    long x;
#pragma omp master
    {
      x = 41;
      published = &x;
#pragma omp task
      v[1] = fib(8);
    }
#pragma omp barrier
#pragma omp for reduction(+ : s)
    for (int i = 0; i < few; ++i) s += *published + fill(i);
  }
  return s + taken();
}

int main(void) {
  RUN(tasks_of_a_single_then_a_loop);
  RUN(a_loop_then_tasks_of_a_single);
  RUN(single_nowait_and_a_loop_on_other_memory);
  RUN(master_barrier_and_a_loop);
  RUN(masked_and_a_loop);
  RUN(two_singles_around_a_loop);
  RUN(taskloop_of_a_single_and_a_loop);
  RUN(reduction_over_tasks_and_a_loop);
  RUN(dependences_of_a_single_and_a_loop);
  RUN(rounds_of_both);
  RUN(firstprivate_of_the_region_in_a_task);
  RUN(copyprivate_of_a_single_with_tasks);
  RUN(waits_of_all_threads);
  RUN(a_loop_whose_iterations_call_tasks);
  RUN(a_loop_whose_iterations_make_and_wait);
  RUN(iterations_that_do_not_wait);
  RUN(iterations_with_a_taskgroup);
  RUN(iterations_with_a_taskloop);
  RUN(iterations_with_a_reduction_over_tasks);
  RUN(iterations_with_dependences);
  RUN(collapse_lastprivate_and_if);
  RUN(firstprivate_and_private);
  RUN(an_array_of_variable_length);
  RUN(continue_and_early_ends);
  RUN(critical_and_atomic_in_tasks_of_iterations);
  RUN(one_thread);
  RUN(sections_with_tasks);
  RUN(sections_and_a_single_in_one_region);
  RUN(functions_that_leave_tasks);
  RUN(loops_that_nest);
  RUN(steps_down_in_other_types);
  RUN(final_and_if_in_iterations);
  RUN(master_carries);
  RUN(a_team_of_one_carries);
  RUN(single_and_master_publish);
  return 0;
}
// converted: 41 loops, 39 regions, 0 left
