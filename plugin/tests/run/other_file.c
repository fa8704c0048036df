// Loops that call another file's functions, which look at the number of their thread.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void note(int i);
int notes(void);
int scaled(int i);

int main(void) {
  enum { n = 20000 };
  int *out = malloc(sizeof(int) * n);
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel for
    for (int i = 0; i < n; ++i) note(i);
  }
#pragma omp parallel for schedule(dynamic, 100)
  for (int i = 0; i < 100; ++i) note(i);
  printf("%d\n", notes());
#pragma omp parallel for
  for (int i = 0; i < n; ++i) out[i] = scaled(i);
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += out[i];
  printf("%ld\n", sum);
  free(out);
  return 0;
}
