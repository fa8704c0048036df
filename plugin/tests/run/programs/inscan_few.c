// Prefix sums of one iteration, and of none: Clang's own code for these runs away, so that it does without here.
#include "show.h"

static void scan(int count, int alone) {
  long sum = 0;
  double product = 1;
  if (!alone) {
#pragma omp parallel for reduction(inscan, + : sum)
    for (long i = 0; i < count; ++i) {
      v[i] = sum;
#pragma omp scan exclusive(sum)
      sum += i + 3;
    }
  } else {
    for (long i = 0; i < count; ++i) {
      v[i] = sum;
      sum += i + 3;
    }
  }
  number("exclusive", sum);
  show("of each");
  sum = 0;
  if (!alone) {
#pragma omp parallel for reduction(inscan, + : sum) reduction(inscan, * : product)
    for (int i = 0; i < count; ++i) {
      sum += i + 5;
      product *= 2;
#pragma omp scan inclusive(sum, product)
      v[i] = sum + (long)product;
    }
  } else {
    for (int i = 0; i < count; ++i) {
      sum += i + 5;
      product *= 2;
      v[i] = sum + (long)product;
    }
  }
  number("inclusive", sum);
  number("product", (long)product);
  show("of each");
}

int main(void) {
  for (int count = 0; count < 8; ++count) {
#ifdef CLANG_ALONE
    scan(count, count < 2);
#else
    scan(count, 0);
#endif
  }
  return 0;
}
// converted: 4 loops, 2 regions, 0 left
