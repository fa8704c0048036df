// Objects that tasks copy are destroyed once: of tasks that run, that run at once, and that are cancelled.
#include <omp.h>

#include "check.h"

static int alive;

struct object {
  int value;
  explicit object(int v) : value(v) { change(1); }
  object(const object& other) : value(other.value) { change(1); }
  ~object() { change(-1); }
  static void change(int by) {
#pragma omp atomic
    alive += by;
  }
};

static void at_once(bool is_true) {
#pragma omp parallel
#pragma omp masked
  {
    object first(3), second(4);
    int seen = 0;
#pragma omp task if (is_true) firstprivate(first) shared(seen)
    seen += first.value;
#pragma omp task final(!is_true) firstprivate(second) shared(seen) depend(inout : seen)
    {
#pragma omp taskwait
#pragma omp atomic
      seen += second.value;
    }
#pragma omp taskwait
    CHECK(is_true || seen == 7);
  }
}

static void loops() {
#pragma omp parallel
#pragma omp single
  {
    object one(1);
    int sum = 0;
#pragma omp taskloop firstprivate(one) shared(sum)
    for (int i = 0; i < 20; ++i) {
#pragma omp atomic
      sum += one.value;
    }
    CHECK(sum == 20);
  }
}

static void cancelled() {
#pragma omp parallel
#pragma omp single
  {
    object kept(5);
#pragma omp taskgroup
    for (int i = 0; i < 50; ++i) {
#pragma omp task firstprivate(kept)
      {
        object own(kept.value + i);
#pragma omp cancellation point taskgroup
        own.value += 1;
#pragma omp cancel taskgroup if (i > 5)
      }
    }
  }
}

int main() {
  for (int i = 0; i < 20; ++i) {
    at_once(true);
    at_once(false);
    loops();
    cancelled();
    CHECK(alive == 0);
  }
  puts("right");
}
