// Reductions that the program declares.
#include "show.h"

struct span {
  long low, high, count;
};
static void widen(struct span *to, const struct span *by) {
  if (by->low < to->low) to->low = by->low;
  if (by->high > to->high) to->high = by->high;
  to->count += by->count;
}
#pragma omp declare reduction(widen : struct span : widen(&omp_out, &omp_in)) \
    initializer(omp_priv = {1000000, -1000000, 0})
#pragma omp declare reduction(modulo : long : omp_out = omp_out * omp_in % 1000003) initializer(omp_priv = 1)
struct map {
  long a, b;
};
static void then(struct map *first, const struct map *next) {
  first->b = (next->a * first->b + next->b) % 1000003;
  first->a = first->a * next->a % 1000003;
}
#pragma omp declare reduction(after : struct map : then(&omp_out, &omp_in)) initializer(omp_priv = {1, 0})

int main(void) {
  struct span all = {5, 5, 0};
#pragma omp parallel for reduction(widen : all)
  for (int i = 0; i < n; ++i) {
    struct span one = {i * 37 % 1009 - 300, i * 41 % 1013, 1};
    widen(&all, &one);
  }
  printf("%ld %ld %ld\n", all.low, all.high, all.count);
  long product = 2;
#pragma omp parallel for reduction(modulo : product) schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) product = product * (i + 1) % 1000003;
  number("product", product);
  // takt combines in the order of the iterations; OpenMP promises that to no schedule, so that it is checked where
  // order does not matter.
  struct map shift = {1, 0};
#pragma omp parallel for reduction(after : shift)
  for (int i = 0; i < n; ++i) shift.b = (shift.b + i) % 1000003;
  printf("%ld %ld\n", shift.a, shift.b);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
