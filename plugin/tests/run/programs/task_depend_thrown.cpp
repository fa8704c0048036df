// Exceptions that leave functions whose tasks have dependences: who catches them goes on in the same order.
#include "show.h"

static void step(long& x, int i) {
#pragma omp task depend(inout : x) shared(x)
  x = (x * 7 + i) % 1000003;
  if (i % 3 == 0) throw i;
#pragma omp task depend(inout : x) shared(x)
  x = (x * 5 + i) % 1000003;
}

static long careful(long& x, int i) {
  try {
    step(x, i);
  } catch (int thrown) {
    return thrown;
  }
  return 0;
}

int main() {
  long x = 1, caught = 0, y = 2;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
    try {
      step(x, i);
    } catch (int thrown) {
      caught += thrown;
    }
#pragma omp task depend(inout : x)
    x = x * 3 % 1000003;
  }
  number("here", x);
  number("caught", caught);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task depend(inout : y)
    y = y * 3 % 1000003;
    caught += careful(y, i);
  }
  number("elsewhere", y);
  number("caught there", caught);
  return 0;
}
// converted: 0 loops, 2 regions, 0 left
