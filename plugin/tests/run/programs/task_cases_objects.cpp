// Tasks in C++, also beside loops and in iterations: small cases.
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "cases.h"

namespace {

/// Counts what is alive, in a way that any number of copies leaves at 0.
long alive = 0;
struct box {
  long a[20];
  box() {
    count(1);
    for (long& x : a) x = 1;
  }
  box(const box& other) {
    count(1);
    for (int i = 0; i < 20; ++i) a[i] = other.a[i];
  }
  ~box() { count(-1); }
  static void count(long by) {
#pragma omp atomic
    alive += by;
  }
};

CASE(objects_firstprivate_in_tasks) {
  box b;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; ++i) {
    b.a[0] = i;
#pragma omp task firstprivate(b)
    v[i] = b.a[1] + b.a[0];
  }
  return taken() + (alive - 1) * 1000;
}
CASE(objects_firstprivate_in_iterations) {
#pragma omp parallel for
  for (int i = 0; i < 50; ++i) {
    box b;
    b.a[1] = i;
#pragma omp task firstprivate(b)
    {
      b.a[2] = 5;
      v[i] = b.a[2] + b.a[1];
    }
    b.a[1] = -1;
  }
  return taken() + alive * 1000;
}
CASE(objects_shared_in_iterations) {
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 50; ++i) {
    box b;
#pragma omp task shared(b)
    b.a[3] = i;
#pragma omp taskwait
    s += b.a[3];
  }
  return s + alive * 1000;
}
CASE(exceptions_inside_tasks) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; ++i) {
#pragma omp task
    try {
      if (i % 3 == 0) throw i;
      v[i] = 1;
    } catch (int k) {
      v[k] = 2;
    }
  }
  return taken();
}
CASE(exceptions_inside_iterations) {
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 50; ++i) {
    long mine = 0;
    try {
#pragma omp task shared(mine)
      try {
        if (i % 4 == 0) throw std::runtime_error("");
        mine = i;
      } catch (std::runtime_error&) {
        mine = 1000;
      }
#pragma omp taskwait
      if (mine % 2 == 0) throw mine;
      s += mine;
    } catch (long k) {
      s += k / 2;
    }
  }
  return s;
}
template <class T>
struct vector_of {
  T all[64];
  void fill() {
#pragma omp parallel for
    for (T* at = all; at < all + 64; ++at) {
#pragma omp task
      *at = static_cast<T>(at - all) / 2;
    }
  }
  T sum() {
    T s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : s)
    for (int i = 0; i < 64; ++i) {
#pragma omp task in_reduction(+ : s)
      s += all[i];
    }
    return s;
  }
};
CASE(members_and_templates) {
  vector_of<long> a;
  vector_of<double> b;
  a.fill();
  b.fill();
  return a.sum() * 10000 + std::lround(b.sum());
}
CASE(lambdas_in_iterations) {
  const auto make = [](int i) {
#pragma omp task
    v[i] = i * 5;
  };
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) make(i);
  return taken();
}
CASE(lambdas_beside_a_loop) {
  long s = 0;
  const auto set = [&s](long x) { s = x; };
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task
      set(fib(10));
    }
#pragma omp for
    for (int i = 0; i < 100; ++i) v[i] = s + i;
  }
  return s + taken();
}
struct shape {
  virtual ~shape() = default;
  virtual long area() const = 0;
};
struct square : shape {
  long side;
  explicit square(long s) : side(s) {}
  long area() const override { return side * side; }
};
CASE(virtual_functions_in_tasks) {
  square all[3] = {square(1), square(2), square(3)};
  const shape* at[3] = {&all[0], &all[1], &all[2]};
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 3; ++i) {
#pragma omp task
    v[i] = at[i]->area();
  }
  return taken();
}
struct most {
  long value = -1;
};
#pragma omp declare reduction(larger:most : omp_out.value = omp_in.value > omp_out.value ? omp_in.value : omp_out.value)
CASE(declared_reductions) {
  most m;
#pragma omp parallel
  {
#pragma omp single
#pragma omp taskgroup task_reduction(larger : m)
    for (int i = 0; i < 50; ++i) {
#pragma omp task in_reduction(larger : m)
      if (i * 37 % 50 > m.value) m.value = i * 37 % 50;
    }
#pragma omp for
    for (int i = 0; i < 50; ++i) v[i] = m.value + i;
  }
  return m.value + taken();
}
CASE(references) {
  long a = 0;
  long& r = a;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(r)
    r = 5;
#pragma omp taskwait
#pragma omp task firstprivate(r)
    v[0] = r;
    r = 7;
  }
  return a * 10000 + taken() % 10000;
}
CASE(taskloop_over_iterators) {
  long* const first = v;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop
    for (long* at = first; at != first + 100; ++at) *at = at - first;
  }
  return taken();
}

}  // namespace

int main() {
  RUN(objects_firstprivate_in_tasks);
  RUN(objects_firstprivate_in_iterations);
  RUN(objects_shared_in_iterations);
  RUN(exceptions_inside_tasks);
  RUN(exceptions_inside_iterations);
  RUN(members_and_templates);
  RUN(lambdas_in_iterations);
  RUN(lambdas_beside_a_loop);
  RUN(virtual_functions_in_tasks);
  RUN(declared_reductions);
  RUN(references);
  RUN(taskloop_over_iterators);
  return 0;
}
// converted: 8 loops, 15 regions, 0 left
