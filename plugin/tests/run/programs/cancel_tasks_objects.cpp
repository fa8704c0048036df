// What tasks have captured is destroyed, whether they run or are dropped, and exceptions in them go where they are caught.
#include "cancellation.h"
#include "show.h"

#include <cstdio>
#include <stdexcept>

static int alive = 0;

struct counted {
  counted() { add(1); }
  counted(const counted&) { add(1); }
  ~counted() { add(-1); }
  static void add(int more) {
#pragma omp atomic
    alive += more;
  }
  int value = 1;
};

static void tasks() {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  {
    counted captured;
#pragma omp taskgroup
    for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(captured) shared(ran)
      {
        counted inner;
#pragma omp atomic
        ran += captured.value;
        if (i == 3) {
#pragma omp cancel taskgroup
        }
        counted behind;
#pragma omp cancellation point taskgroup
      }
    }
  }
  number("ran", omp_get_cancellation() ? ran >= 1 && ran <= n : ran == n);
  number("alive", alive);
}

static void loops() {
  int caught = 0, ran = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i) {
      counted outer;
      try {
        counted inner;
#pragma omp atomic
        ran++;
        throw std::runtime_error("error");
      } catch (const std::runtime_error&) {
#pragma omp atomic
        caught++;
      }
#pragma omp cancel for if (i == 5)
      counted behind;
    }
#pragma omp for
    for (int i = 0; i < n; ++i) {
      counted inner;
      if (i % 2 == 0) {
#pragma omp cancel for
        continue;
      }
      counted behind;
    }
  }
  number("caught", caught == ran);
  number("ran", omp_get_cancellation() ? ran >= 1 && ran <= n : ran == n);
  number("alive", alive);
}

static void exceptions_in_tasks() {
  int caught = 0, begun = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < n; ++i) {
#pragma omp task shared(caught, begun)
      {
#pragma omp atomic
        begun++;
        try {
          if (i >= 0) throw i;
        } catch (int) {
#pragma omp atomic
          caught++;
        }
#pragma omp cancel taskgroup if (i == 7)
      }
    }
  }
  number("caught", caught == begun);
}

int main(int argc, char** argv) {
  tasks();
  loops();
  exceptions_in_tasks();
  return again_with_cancellation(argc, argv);
}
// converted: 2 loops, 3 regions, 0 left
