// Clauses of task, taskloop and taskgroup, and what makes and waits for tasks: small cases.
#include <string.h>

#include "cases.h"

enum { few = 100 };

/* The body of a region that one thread runs. */
#define ONE_THREAD _Pragma("omp parallel") _Pragma("omp single")

CASE(shared_by_name) {
  long a = 1, b = 2;
  ONE_THREAD {
#pragma omp task shared(a)
    a = 10;
#pragma omp task shared(b)
    b += 5;
  }
  return a * 100 + b;
}
CASE(firstprivate_keeps_the_value_of_the_making) {
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
    long k = i * 3;
#pragma omp task firstprivate(k)
    v[i] = k;
    k = -1;
  }
  return taken();
}
CASE(firstprivate_by_default) {
  ONE_THREAD {
    int at = 7;
#pragma omp task
    {
      at += 1;
      v[at] = at;
    }
    at = 50;
    v[at] = at;
  }
  return taken();
}
CASE(firstprivate_of_an_array_and_a_struct) {
  struct {
    char name[20];
    double weights[9];
  } what = {"name", {1, 2, 3}};
  char text[30] = "text";
  long sum = 0;
  ONE_THREAD {
#pragma omp task firstprivate(what, text) shared(sum)
    {
      text[0] = 'T';
      sum += (long)strlen(what.name) * 100 + (long)what.weights[2] * 10 + text[0];
    }
    what.name[2] = 0;
    text[1] = 0;
  }
  return sum + (long)strlen(what.name) + (long)strlen(text);
}
CASE(private_has_no_value) {
  long p;
  ONE_THREAD {
#pragma omp task private(p)
    {
      p = 3;
      v[0] = p;
    }
  }
  return taken();
}
CASE(default_none_shared_and_firstprivate) {
  long a = 0, b = 4;
  ONE_THREAD {
#pragma omp task default(none) shared(a) firstprivate(b)
    a = b * 2;
#pragma omp taskwait
#pragma omp task default(shared)
    b = a + 1;
#pragma omp taskwait
#pragma omp task default(firstprivate) shared(a)
    a += b;
  }
  return a * 100 + b;
}
CASE(if_false_runs_at_once) {
  long a = 0, b = 0;
  ONE_THREAD
  for (int i = 0; i < 10; ++i) {
#pragma omp task shared(a) if (0)
    a = a * 3 % 1009 + i;
    b = b * 7 % 1009 + a;
  }
  return a * 10000 + b;
}
CASE(if_known_at_run_time) {
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task if (i % 2 == 0)
    v[i] = fib(i % 7);
  }
  return taken();
}
CASE(if_false_with_children) {
  long a = 0, b = 0;
  ONE_THREAD {
#pragma omp task shared(a, b) if (0)
    {
#pragma omp task shared(a)
      a = fib(6);
#pragma omp taskwait
      b = a + 1;
    }
    b *= 2;
  }
  return a + b;
}
CASE(final_is_serial) {
  long a = 0;
  ONE_THREAD {
#pragma omp task shared(a) final(1)
    for (int i = 0; i < 20; ++i) {
#pragma omp task shared(a)
      a = a * 3 % 1009 + i;
    }
  }
  return a;
}
CASE(final_known_at_run_time) {
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task final(i > 50)
    v[i] = fib(i % 8);
  }
  return taken();
}
CASE(mergeable) {
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task mergeable if (i & 1)
    v[i] = i;
  }
  return taken();
}
CASE(untied_with_points_of_schedule) {
  long s = 0;
  ONE_THREAD
  for (int i = 0; i < 20; ++i) {
#pragma omp task untied shared(s)
    {
      long mine = i;
#pragma omp taskyield
#pragma omp task shared(mine)
      mine += 1;
#pragma omp taskwait
#pragma omp atomic
      s += mine;
    }
  }
  return s;
}
CASE(priority) {
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task priority(i)
    v[i] = i + 2;
  }
  return taken();
}
CASE(affinity) {
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task affinity(v[i])
    v[i] = i + 3;
  }
  return taken();
}
CASE(taskyield) {
  long a = 0;
  ONE_THREAD {
#pragma omp task shared(a)
    a = 4;
#pragma omp taskyield
#pragma omp taskwait
    a *= 2;
  }
  return a;
}
CASE(taskwait_waits_for_children) {
  long b = 0;
  ONE_THREAD {
    long all[10];
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(all)
      all[i] = fib(i);
    }
#pragma omp taskwait
    for (int i = 0; i < 10; ++i) b += all[i];
  }
  return b;
}
CASE(taskgroup_waits_for_grandchildren) {
  ONE_THREAD {
#pragma omp taskgroup
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      {
        v[i] = i;
#pragma omp task
        {
          v[i + 10] = i;
#pragma omp task
          v[i + 20] = fib(i);
        }
      }
    }
    for (int i = 0; i < 30; ++i) v[30] += v[i];
  }
  return taken();
}
CASE(taskgroups_that_nest) {
  ONE_THREAD {
#pragma omp taskgroup
    {
#pragma omp task
      v[0] = 1;
#pragma omp taskgroup
      {
#pragma omp task
        v[1] = 2;
      }
      v[2] = v[1] * 3;
    }
    v[3] = v[0] + v[2];
  }
  return taken();
}
CASE(tasks_outlive_their_parent) {
  ONE_THREAD
  for (int i = 0; i < 10; ++i) {
#pragma omp task
    for (int k = 0; k < 10; ++k) {
#pragma omp task
      v[i * 10 + k] = i ^ k;
    }
  }
  return taken();
}
CASE(taskloop_of_a_grainsize) {
  ONE_THREAD {
#pragma omp taskloop grainsize(10)
    for (int i = 0; i < n; ++i) v[i] = i;
  }
  return taken();
}
CASE(taskloop_of_a_number_of_tasks) {
  ONE_THREAD {
#pragma omp taskloop num_tasks(5)
    for (long i = n - 1; i >= 0; i -= 3) v[i] = i;
  }
  return taken();
}
CASE(taskloop_collapse) {
  ONE_THREAD {
#pragma omp taskloop collapse(2)
    for (int i = 0; i < 30; ++i)
      for (int k = 0; k < 30; ++k) v[i * 30 + k] = i - k;
  }
  return taken();
}
CASE(taskloop_reduction) {
  long s = 0, most = 0;
  ONE_THREAD {
#pragma omp taskloop reduction(+ : s) reduction(max : most)
    for (int i = 0; i < n; ++i) {
      s += i;
      most = most > i * 37 % 1001 ? most : i * 37 % 1001;
    }
  }
  return s * 10000 + most;
}
CASE(taskloop_lastprivate_and_firstprivate) {
  long last = 0, k = 3;
  ONE_THREAD {
#pragma omp taskloop lastprivate(last) firstprivate(k)
    for (int i = 0; i < n; ++i) {
      last = i * k;
      v[i] = last;
    }
  }
  return last + taken();
}
CASE(taskloop_private_and_shared) {
  long p = 0, s = 0;
  ONE_THREAD {
#pragma omp taskloop private(p) shared(s)
    for (int i = 0; i < n; ++i) {
      p = i;
#pragma omp atomic
      s += p;
    }
  }
  return s;
}
CASE(taskloop_if_and_final) {
  ONE_THREAD {
#pragma omp taskloop if (v[0] > 0)
    for (int i = 0; i < few; ++i) v[i] = i + 1;
#pragma omp taskloop final(v[0] > 0)
    for (int i = 0; i < few; ++i) v[i] *= 2;
  }
  return taken();
}
CASE(taskloop_nogroup) {
  ONE_THREAD {
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup
      for (int i = 0; i < few; ++i) v[i] = i;
    }
    v[few] = v[few - 1];
  }
  return taken();
}
CASE(taskloop_simd) {
  ONE_THREAD {
#pragma omp taskloop simd
    for (int i = 0; i < n; ++i) v[i] = i * 5;
  }
  return taken();
}
CASE(taskloop_of_nothing_and_of_one) {
  ONE_THREAD {
#pragma omp taskloop
    for (int i = 0; i < v[0]; ++i) v[i] = 99;
#pragma omp taskloop
    for (int i = 5; i < 6; ++i) v[i] = i;
  }
  return taken();
}
CASE(taskloop_whose_iterations_make_tasks) {
  ONE_THREAD {
#pragma omp taskloop
    for (int i = 0; i < few; ++i) v[i] = fib(i % 8);
  }
  return taken();
}
CASE(taskloop_mergeable_priority) {
  ONE_THREAD {
#pragma omp taskloop mergeable priority(3) default(shared)
    for (int i = 0; i < few; ++i) v[i] = i;
  }
  return taken();
}
CASE(task_reduction_of_several) {
  long s = 0, p = 1;
  ONE_THREAD {
#pragma omp taskgroup task_reduction(+ : s) task_reduction(* : p)
    for (int i = 1; i < 12; ++i) {
#pragma omp task in_reduction(+ : s) in_reduction(* : p)
      {
        s += i;
        p *= i;
      }
    }
  }
  return s + p;
}
CASE(task_reduction_bits_and_logic) {
  unsigned a = ~0u, o = 0, x = 0;
  int all = 1, some = 0;
  ONE_THREAD {
#pragma omp taskgroup task_reduction(& : a) task_reduction(| : o) task_reduction(^ : x) task_reduction(&& : all) \
    task_reduction(|| : some)
    for (int i = 0; i < 30; ++i) {
#pragma omp task in_reduction(& : a) in_reduction(| : o) in_reduction(^ : x) in_reduction(&& : all) \
    in_reduction(|| : some)
      {
        a &= ~(1u << (i % 9));
        o |= 1u << (i % 7);
        x ^= (unsigned)(i * i);
        all = all && i < 30;
        some = some || i == 17;
      }
    }
  }
  return (long)(a & 0xffff) + o + x + all + some;
}
CASE(task_reduction_of_an_array) {
  long h[4] = {0};
  ONE_THREAD {
#pragma omp taskgroup task_reduction(+ : h)
    for (int i = 0; i < few; ++i) {
#pragma omp task in_reduction(+ : h)
      h[i % 4] += i;
    }
  }
  return h[0] + h[1] * 2 + h[2] * 3 + h[3] * 4;
}
CASE(task_reduction_in_tasks_of_tasks) {
  long s = 0;
  ONE_THREAD {
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : s)
      {
        s += 1;
#pragma omp taskgroup task_reduction(+ : s)
        {
#pragma omp task in_reduction(+ : s)
          s += i;
        }
      }
    }
  }
  return s;
}
CASE(taskloop_in_reduction) {
  long s = 0;
  ONE_THREAD {
#pragma omp taskgroup task_reduction(+ : s)
    {
#pragma omp taskloop in_reduction(+ : s)
      for (int i = 0; i < few; ++i) s += i;
#pragma omp task in_reduction(+ : s)
      s += 10000;
    }
  }
  return s;
}
CASE(depend_in_a_chain) {
  long a = 1;
  ONE_THREAD
  for (int i = 0; i < 20; ++i) {
#pragma omp task shared(a) depend(inout : a)
    a = a * 3 % 1009 + i;
  }
  return a;
}
CASE(depend_one_writes_many_read) {
  long a = 0;
  ONE_THREAD {
#pragma omp task shared(a) depend(out : a)
    a = 5;
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(a) depend(in : a)
      v[i] = a + i;
    }
#pragma omp task shared(a) depend(out : a)
    a = 6;
  }
  return a + taken();
}
CASE(depend_on_elements) {
  ONE_THREAD
  for (int i = 1; i < few; ++i) {
#pragma omp task depend(in : v[i - 1]) depend(out : v[i])
    v[i] = v[i - 1] + i;
  }
  return taken();
}
CASE(depend_on_a_section_and_by_iterator) {
  ONE_THREAD {
    for (int i = 0; i < 4; ++i) {
#pragma omp task depend(out : v[i])
      v[i] = i + 1;
    }
#pragma omp task depend(iterator(int k = 0 : 4), in : v[k])
    v[10] = v[0] + v[1] + v[2] + v[3];
  }
  return taken();
}
CASE(depend_mutexinoutset_and_inoutset) {
  long a = 0, b = 0;
  ONE_THREAD {
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(a) depend(mutexinoutset : a)
      a += i;
    }
#pragma omp task shared(a, b) depend(in : a) depend(out : b)
    b = a;
  }
  return a * 100 + b;
}
CASE(taskwait_depend) {
  long a = 0, b = 0;
  ONE_THREAD {
#pragma omp task shared(a) depend(out : a)
    a = 3;
#pragma omp taskwait depend(in : a)
    b = a + 1;
  }
  return a * 10 + b;
}
CASE(depend_with_if_false) {
  long a = 0;
  ONE_THREAD {
#pragma omp task shared(a) depend(out : a)
    a = 3;
#pragma omp task shared(a) depend(inout : a) if (0)
    a *= 5;
    a += 1;
  }
  return a;
}
CASE(critical_in_tasks) {
  long c = 0;
  ONE_THREAD
  for (int i = 0; i < few; ++i) {
#pragma omp task shared(c)
    {
#pragma omp critical
      c += i;
    }
  }
  return c;
}
CASE(master_alone) {
#pragma omp parallel
#pragma omp master
  for (int i = 0; i < few; ++i) {
#pragma omp task
    v[i] = i;
  }
  return taken();
}
CASE(masked_alone) {
#pragma omp parallel masked
  for (int i = 0; i < few; ++i) {
#pragma omp task
    v[i] = i + 1;
  }
  return taken();
}
CASE(parallel_master_taskloop) {
#pragma omp parallel master taskloop
  for (int i = 0; i < few; ++i) v[i] = i + 2;
  return taken();
}
CASE(two_singles_with_nowait) {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task
      v[0] = fib(9);
    }
#pragma omp single nowait
    {
#pragma omp task
      v[1] = fib(10);
    }
  }
  return taken();
}
static long odd(int x);
static long even(int x) {
  long r = 1;
  if (x == 0) return r;
#pragma omp task shared(r)
  r = odd(x - 1);
#pragma omp taskwait
  return r + 1;
}
static long odd(int x) {
  long r = 0;
  if (x == 0) return r;
#pragma omp task shared(r)
  r = even(x - 1);
#pragma omp taskwait
  return r * 2;
}
CASE(mutual_recursion) {
  long r = 0;
  ONE_THREAD r = even(20);
  return r;
}
CASE(tasks_outside_of_regions) {
  long a = 0;
#pragma omp task shared(a)
  a = 4;
#pragma omp taskwait
  return a + fib(6);
}

int main(void) {
  RUN(shared_by_name);
  RUN(firstprivate_keeps_the_value_of_the_making);
  RUN(firstprivate_by_default);
  RUN(firstprivate_of_an_array_and_a_struct);
  RUN(private_has_no_value);
  RUN(default_none_shared_and_firstprivate);
  RUN(if_false_runs_at_once);
  RUN(if_known_at_run_time);
  RUN(if_false_with_children);
  RUN(final_is_serial);
  RUN(final_known_at_run_time);
  RUN(mergeable);
  RUN(untied_with_points_of_schedule);
  RUN(priority);
  RUN(affinity);
  RUN(taskyield);
  RUN(taskwait_waits_for_children);
  RUN(taskgroup_waits_for_grandchildren);
  RUN(taskgroups_that_nest);
  RUN(tasks_outlive_their_parent);
  RUN(taskloop_of_a_grainsize);
  RUN(taskloop_of_a_number_of_tasks);
  RUN(taskloop_collapse);
  RUN(taskloop_reduction);
  RUN(taskloop_lastprivate_and_firstprivate);
  RUN(taskloop_private_and_shared);
  RUN(taskloop_if_and_final);
  RUN(taskloop_nogroup);
  RUN(taskloop_simd);
  RUN(taskloop_of_nothing_and_of_one);
  RUN(taskloop_whose_iterations_make_tasks);
  RUN(taskloop_mergeable_priority);
  RUN(task_reduction_of_several);
  RUN(task_reduction_bits_and_logic);
  RUN(task_reduction_of_an_array);
  RUN(task_reduction_in_tasks_of_tasks);
  RUN(taskloop_in_reduction);
  RUN(depend_in_a_chain);
  RUN(depend_one_writes_many_read);
  RUN(depend_on_elements);
  RUN(depend_on_a_section_and_by_iterator);
  RUN(depend_mutexinoutset_and_inoutset);
  RUN(taskwait_depend);
  RUN(depend_with_if_false);
  RUN(critical_in_tasks);
  RUN(master_alone);
  RUN(masked_alone);
  RUN(parallel_master_taskloop);
  RUN(two_singles_with_nowait);
  RUN(mutual_recursion);
  RUN(tasks_outside_of_regions);
  return 0;
}
// converted: 0 loops, 50 regions, 0 left
