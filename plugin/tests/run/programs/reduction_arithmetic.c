// +, - and * on every integer type. No product of parts is above 3 to the 10th: two of unsigned short are multiplied as
// int.
#include "show.h"

#define ALL(type)                                                                              \
  do {                                                                                         \
    type sum = 3, difference = 100, product = 1;                                               \
    _Pragma("omp parallel for reduction(+ : sum) reduction(- : difference) reduction(* : product)") \
    for (int i = 0; i < n; ++i) {                                                              \
      sum += (type)(i % 7);                                                                    \
      difference -= (type)(i % 3);                                                             \
      product *= (type)(i % 100 ? 1 : 3);                                                      \
    }                                                                                          \
    number(#type, (long)sum);                                                                  \
    number(#type, (long)difference);                                                           \
    number(#type, (long)product);                                                              \
  } while (0)

int main(void) {
  ALL(char);
  ALL(signed char);
  ALL(unsigned char);
  ALL(short);
  ALL(unsigned short);
  ALL(unsigned);
  ALL(unsigned long);
  ALL(unsigned long long);
  int sum = 1;
  long wide = 2;
#pragma omp parallel for reduction(+ : sum, wide)
  for (int i = 0; i < n; ++i) {
    sum += i;
    wide += 1l << (i % 40);
  }
  number("int", sum);
  number("long", wide);
  return 0;
}
// converted: 9 loops, 0 regions, 0 left
