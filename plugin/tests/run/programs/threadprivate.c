// threadprivate variables: such regions stay as they are.
#include "show.h"

static int counter;
static long scratch[4];
#pragma omp threadprivate(counter, scratch)

int main(void) {
  long total = 0;
#pragma omp parallel reduction(+ : total)
  {
    counter = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) {
      counter++;
      scratch[i % 4] = i;
      v[i] = scratch[i % 4];
    }
    total += counter;
  }
  number("total", total);
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    scratch[0] = i;
    v[i] += scratch[0];
  }
  show("scratch");
#pragma omp parallel for
  for (int i = 0; i < n; ++i) v[i] += 2;
  show("beside");
  return 0;
}
// converted: 1 loops, 0 regions, 2 left
