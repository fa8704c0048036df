// Loops and sections that can be cancelled: first without cancellation, then with it.
#include "cancellation.h"
#include "show.h"

static void searches(void) {
  int found = 0, never = 0;
#pragma omp parallel for shared(found)
  for (int i = 0; i < n; ++i) {
    v[i] = 0;
    if (i == 500) {
#pragma omp atomic write
      found = 1;
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  number("found", found);
#pragma omp parallel for reduction(| : found) schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) {
    if (i % 100 == 99) {
#pragma omp atomic write
      never = 1;
#pragma omp cancel for if (i > 300)
    }
    found |= 2;
  }
  number("seen", never);
}

// Behind its own cancel nothing runs, and after it no iteration begins: each worker begins one at most.
static void all_cancel(int many) {
  int begun = 0, behind = 0, last = 0;
#pragma omp parallel if (many > 1)
  {
#pragma omp for schedule(static, 5) lastprivate(last)
    for (int i = 0; i < many; ++i) {
#pragma omp atomic
      begun++;
      last = i;
#pragma omp cancel for
#pragma omp atomic
      behind++;
    }
  }
  const int on = omp_get_cancellation();
  number("begun", on ? begun >= 1 && begun <= 64 : begun == many);
  number("behind", on ? behind == 0 : behind == many);
  number("last", on || last == many - 1);
}

static void by_dynamic(void) {
  int begun = 0, behind = 0;
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 3; ++j) {
#pragma omp atomic
      begun++;
      for (int k = 0; k < 2; ++k) {
#pragma omp cancel for if (k == 1)
      }
#pragma omp atomic
      behind++;
    }
  }
  const int on = omp_get_cancellation();
  number("begun", on ? begun <= 64 : begun == 3 * n);
  number("behind", on ? behind == 0 : behind == 3 * n);
}

static void sections(int never) {
  int found = 0, behind = 0;
#pragma omp parallel sections
  {
#pragma omp section
    found = 2;
#pragma omp section
    {
#pragma omp cancel sections if (never > 5)
      v[0] = 0;
    }
  }
  number("found", found);
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp cancel sections
#pragma omp atomic
      behind++;
    }
#pragma omp section
    {
#pragma omp cancel sections
#pragma omp atomic
      behind++;
    }
  }
  number("behind", behind == (omp_get_cancellation() ? 0 : 2));
}

// Inner loops have a state each.
static void nested(void) {
  int rows = 0;
#pragma omp parallel for reduction(+ : rows)
  for (int i = 0; i < 20; ++i) {
    int any = 0;
#pragma omp parallel for shared(any)
    for (int j = 0; j < 50; ++j) {
      if (j == 2 * i) {
#pragma omp atomic write
        any = 1;
#pragma omp cancel for
      }
    }
    rows += any;
  }
  number("rows", rows);
}

int main(int argc, char **argv) {
  searches();
  all_cancel(n);
  all_cancel(1);
  by_dynamic();
  sections(argc - 1);
  nested();
  return again_with_cancellation(argc, argv);
}
// converted: 8 loops, 0 regions, 0 left
