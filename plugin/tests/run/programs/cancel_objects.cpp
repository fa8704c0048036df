// What an iteration that is cancelled has made is destroyed.
#include "cancellation.h"
#include "show.h"

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

int main(int argc, char** argv) {
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
  return again_with_cancellation(argc, argv);
}
// converted: 1 loops, 0 regions, 0 left
