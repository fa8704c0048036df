// Teams, and what they distribute; the loops in them are converted.
#include "show.h"

int main(void) {
  long s = 0;
  int last = -1;
#pragma omp teams distribute parallel for
  for (int i = 0; i < n; ++i) v[i] = i * 2;
  show("all at once");
#pragma omp teams distribute parallel for reduction(+ : s) collapse(2) schedule(static, 3) dist_schedule(static, 70)
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 50; ++j) s += v[i * 50 + j];
  }
  number("sum", s);
#pragma omp teams distribute parallel for lastprivate(last) firstprivate(s)
  for (int i = 0; i < n; ++i) {
    last = i;
    v[i] += s % 7;
  }
  number("last", last);
  show("firstprivate");
#pragma omp teams num_teams(2)
  {
#pragma omp distribute
    for (int i = 0; i < n; ++i) v[i] += 3;
  }
  show("distribute");
#pragma omp teams num_teams(3)
  {
#pragma omp distribute parallel for simd
    for (int i = 0; i < n; ++i) v[i] += 4;
  }
  show("distribute parallel for simd");
#pragma omp teams num_teams(1)
  {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) v[i] += 5;
  }
  show("a parallel loop in a team");
  return 0;
}
// converted: 5 loops, 0 regions, 0 left
