// Tasks that take part in a reduction of a taskgroup of another function: in another file, and through a pointer.
#include <stdio.h>

long x;
void other_add(long i);

static void add(long i) {
#pragma omp task in_reduction(+ : x)
  x += i;
}
static void (*volatile chosen)(long) = add;

int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : x)
  for (long i = 0; i < 100; ++i) {
#pragma omp task
    for (long j = 0; j < 1000; ++j) other_add(1);
  }
  printf("%ld\n", x);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : x)
  for (long i = 0; i < 100; ++i) {
#pragma omp task
    for (long j = 0; j < 1000; ++j) chosen(1);
  }
  printf("%ld\n", x);
  return 0;
}
