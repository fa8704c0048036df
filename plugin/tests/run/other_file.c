// Loops that call another file's functions, which look at the number of their thread.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void note(int i);
int notes(void);
int scaled(int i);
int team(void);
int me(void);

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
  // As many threads as it asks for.
  for (int asked = 2; asked >= 1; --asked) {
    int last = 0;
#pragma omp parallel for num_threads(asked) reduction(max : last)
    for (int i = 0; i < n; ++i) last = me() > last ? me() : last;
    printf("%d\n", last);
  }
  // A region as a whole: its parts must agree about the number of a thread.
  int before = notes(), threads = 0;
  for (int choice = 0; choice < 2; ++choice) {
#pragma omp parallel if (choice) num_threads(3)
    {
#pragma omp for
      for (int i = 0; i < n; ++i) note(i);
#pragma omp single
      threads = team();
#pragma omp for
      for (int i = 0; i < n; ++i) out[i] = scaled(i);
    }
    printf("%d %d %d\n", notes() - before, threads, out[7]);
  }
  free(out);
  return 0;
}
