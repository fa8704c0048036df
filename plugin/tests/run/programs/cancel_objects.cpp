// What an iteration that is cancelled has made is destroyed.
#include "show.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

static int alive = 0;

struct counted {
  counted() {
#pragma omp atomic
    alive++;
  }
  ~counted() {
#pragma omp atomic
    alive--;
  }
};

int main(int, char** argv) {
  int found = 0;
#pragma omp parallel for schedule(static) shared(found)
  for (int i = 0; i < n; ++i) {
    counted outer;
    if (i % 7 == 3) {
      counted inner;
#pragma omp atomic write
      found = 1;
#pragma omp cancel for
    }
    counted behind;
#pragma omp cancellation point for
  }
  number("found", found);
  number("alive", alive);
  std::fflush(stdout);
  if (std::getenv("OMP_CANCELLATION") != nullptr) return 0;
  setenv("OMP_CANCELLATION", "true", 1);
  execv("/proc/self/exe", argv);
  return 1;
}
// converted: 1 loops, 0 regions, 0 left
