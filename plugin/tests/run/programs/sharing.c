// default(none), shared and variables of every storage class.
#include "show.h"

int global = 3;
static int own_global = 4;
static const int constant = 5;

int main(void) {
  static long kept = 6;
  int mine = 7;
  extern int global;
#pragma omp parallel for default(none) shared(v, global, own_global, kept) firstprivate(mine, constant)
  for (int i = 0; i < n; ++i) v[i] = global + own_global + kept + mine + constant + i;
  show("default none");
  long counted = 0;
#pragma omp parallel for default(shared)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    kept += v[i];
#pragma omp atomic
    counted += 1;
  }
  number("kept", kept);
  number("counted", counted);
#pragma omp parallel for default(firstprivate) shared(v)
  for (int i = 0; i < n; ++i) {
    int now = mine + i;
    v[i] = now > 7;
  }
  show("default firstprivate");
  number("mine", mine);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
