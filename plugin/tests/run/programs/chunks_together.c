// A chunk that the program asks for stays on one thread, in order.
#include <stdio.h>

enum { n = 5000 };
static unsigned long bits[n / 64 + 1];
static int first_of[n];

static void clear(void) {
  for (int i = 0; i <= n / 64; ++i) bits[i] = 0;
}
static int set_bits(void) {
  int set = 0;
  for (int i = 0; i < n; ++i) set += (int)(bits[i / 64] >> (i % 64) & 1);
  return set;
}
// Takes a while, so that others come in between.
static unsigned long slowly(unsigned long word, int i) {
  volatile unsigned long before = word;
  for (volatile int k = 0; k < 20; ++k) {
  }
  return before | 1ul << (i % 64);
}

int main(void) {
  clear();
#pragma omp parallel for schedule(dynamic, 64)
  for (int i = 0; i < n; ++i) bits[i / 64] = slowly(bits[i / 64], i);
  printf("%d\n", set_bits());
  clear();
#pragma omp parallel for schedule(static, 128)
  for (int i = 0; i < n; ++i) bits[i / 64] = slowly(bits[i / 64], i);
  printf("%d\n", set_bits());
  int first = 0;
#pragma omp parallel for schedule(static, 10) firstprivate(first)
  for (int i = 0; i < n; ++i) {
    if (i % 10 == 0) first = i;
    for (volatile int k = 0; k < 20; ++k) {
    }
    first_of[i] = first;
  }
  int right = 0;
  for (int i = 0; i < n; ++i) right += first_of[i] == i / 10 * 10;
  printf("%d\n", right);
  return 0;
}
// converted: 3 loops, 0 regions, 0 left
