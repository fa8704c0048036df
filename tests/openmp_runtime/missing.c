/* A function that the runtime does not have. */
#include <stdio.h>
extern void GOMP_parallel_start(void (*)(void*), void*, unsigned);
int main(void) {
  fputs("before\n", stderr);
  GOMP_parallel_start(0, 0, 2);
  return 0;
}
