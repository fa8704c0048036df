// Private arrays of tasks, which Clang takes for aligned to 16 bytes, and lays out at 8: a task inside gets a copy of one.
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static unsigned long sum_of(unsigned long x) {
  unsigned long a[4] = {x, 2, 3, 4}, sum = 0, product = 1;
#pragma omp task firstprivate(a) shared(sum, product)
  {
#pragma omp task firstprivate(a) shared(sum)
    for (int i = 0; i < 4; ++i) sum = sum * 31 + a[i];
#pragma omp taskloop firstprivate(a) reduction(* : product)
    for (int i = 0; i < 4; ++i) product *= a[i];
#pragma omp taskwait
  }
#pragma omp taskwait
  return sum * 7 + product;
}

__attribute__((noinline)) static void look_at(unsigned long *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
// Filled as a whole.
__attribute__((noinline)) static unsigned long filled(unsigned long x) {
  unsigned long a[8], sum = 0;
#pragma omp task private(a) shared(sum)
  {
    memset(a, 0, sizeof a);
    a[x % 8] = x;
    look_at(a);
    sum = a[0] * 31 + a[3];
  }
#pragma omp taskwait
  return sum;
}

int main(void) {
  unsigned long b[20];
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; ++i) {
#pragma omp task shared(b)
    b[i] = sum_of(i) + filled(i);
  }
  unsigned long sum = 0;
  for (int i = 0; i < 20; ++i) sum = sum * 31 + b[i];
  printf("%lu\n", sum);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
