// Declared reductions that begin with something of the program's variable.
#include "show.h"

struct best {
  long limit, most;
};
static void begin(struct best *own, const struct best *original) {
  own->limit = original->limit;
  own->most = -1;
}
static void look(struct best *to, long x) {
  if (x < to->limit && x > to->most) to->most = x;
}
#pragma omp declare reduction(below : struct best : look(&omp_out, omp_in.most)) \
    initializer(omp_priv = {omp_orig.limit, -1})
#pragma omp declare reduction(under : struct best : look(&omp_out, omp_in.most)) \
    initializer(begin(&omp_priv, &omp_orig))

int main(void) {
  struct best b = {700, -1}, c = {500, -1};
#pragma omp parallel for reduction(below : b)
  for (int i = 0; i < n; ++i) look(&b, i * 37 % 1009);
  number("below", b.most);
#pragma omp parallel for reduction(under : c) schedule(dynamic, 2)
  for (int i = 0; i < n; ++i) look(&c, i * 37 % 1009);
  number("under", c.most);
  c.limit = 600;
#pragma omp parallel reduction(under : c)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) look(&c, i * 41 % 1009);
#pragma omp for
    for (int i = 0; i < n; ++i) look(&c, i * 43 % 1009);
  }
  number("in a region", c.most);
  return 0;
}
// converted: 2 loops, 0 regions, 1 left
