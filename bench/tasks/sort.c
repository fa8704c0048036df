// Merge sort of random numbers. Stretches of 32 are sorted by insertion, which is part of the algorithm.
#include <string.h>

#include "program.h"

static void insert(long* a, int n) {
  for (int i = 1; i < n; ++i) {
    long moving = a[i];
    int at = i;
    for (; at > 0 && a[at - 1] > moving; --at) a[at] = a[at - 1];
    a[at] = moving;
  }
}

static void merge(long* a, long* buffer, int half, int n) {
  memcpy(buffer, a, (size_t)half * sizeof *a);
  int left = 0, right = half;
  for (int at = 0; left < half; ++at) a[at] = right < n && a[right] < buffer[left] ? a[right++] : buffer[left++];
}

#ifdef CUT_OFF
static void sort_alone(long* a, long* buffer, int n) {
  if (n <= 32) {
    insert(a, n);
    return;
  }
  int half = n / 2;
  sort_alone(a, buffer, half);
  sort_alone(a + half, buffer + half, n - half);
  merge(a, buffer, half, n);
}
#endif

static void sort(long* a, long* buffer, int n) {
  if (n <= 32) {
    insert(a, n);
    return;
  }
#ifdef CUT_OFF
  if (n < cut_off) {
    sort_alone(a, buffer, n);
    return;
  }
#endif
  int half = n / 2;
#pragma omp task
  sort(a, buffer, half);
  sort(a + half, buffer + half, n - half);
#pragma omp taskwait
  merge(a, buffer, half, n);
}

int main(int argc, char** argv) {
  int n = size_or(argc, argv, 10000);
  long *a = room_for((size_t)n * sizeof *a), *buffer = room_for((size_t)n * sizeof *buffer);
  for (int i = 0; i < n; ++i) a[i] = (long)(mixed((unsigned long)i) >> 1);
  work_begins();
#pragma omp parallel
#pragma omp single
  sort(a, buffer, n);
  work_ends();
  unsigned long sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = sum * 31 + (unsigned long)a[i];
    if (i > 0 && a[i - 1] > a[i]) printf("not sorted at %d\n", i);
  }
  printf("%lu\n", sum);
  free(a);
  free(buffer);
  return 0;
}
// converted: 0 loops, 1 regions, 0 left
