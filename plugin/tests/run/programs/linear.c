// linear variables of loops.
#include "show.h"

int main(void) {
  int at = 5;
#pragma omp parallel
  {
#pragma omp for linear(at : 3)
    for (int i = 0; i < n; ++i) {
      v[i] = at;
      at += 3;
    }
  }
  show("linear");
  number("after", at);
#pragma omp parallel for linear(at)
  for (int i = 0; i < n; ++i) {
    v[i] += at;
    at++;
  }
  show("by one");
  number("after", at);
  return 0;
}
// converted: 2 loops, 2 regions, 0 left
