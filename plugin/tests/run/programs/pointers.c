// Loop variables that are pointers.
#include "show.h"

int main(void) {
#pragma omp parallel for
  for (long *p = v; p < v + n; ++p) *p = p - v;
  show("up");
#pragma omp parallel for schedule(dynamic, 5)
  for (long *p = v + n - 1; p >= v + 3; p -= 3) *p *= 2;
  show("down");
  const char *text = "a loop over the letters of a text";
  int letters = 0;
#pragma omp parallel for reduction(+ : letters)
  for (const char *c = text; c != text + 33; ++c) letters += *c == 'e' || *c == 't';
  number("letters", letters);
  struct pair {
    int a;
    short b;
  } pairs[100];
#pragma omp parallel for schedule(static, 3)
  for (struct pair *p = pairs; p < pairs + 100; p += 2) {
    p->a = (int)(p - pairs);
    p[1].a = p->a * 2;
    p->b = p[1].b = 1;
  }
  long s = 0;
  for (int i = 0; i < 100; ++i) s = s * 3 % 1009 + pairs[i].a + pairs[i].b;
  number("structs", s);
  return 0;
}
// converted: 4 loops, 0 regions, 0 left
