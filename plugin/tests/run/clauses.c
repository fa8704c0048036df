// Data-sharing clauses: what is private, what comes in, what goes out.
#include <stdio.h>
#include <stdlib.h>

enum { n = 3000 };
static int out[n];

static long sum(void) {
  long s = 0;
  for (int i = 0; i < n; ++i) s = s * 31 % 1000003 + out[i];
  return s;
}

int main(void) {
  int scratch = 7;
#pragma omp parallel for private(scratch)
  for (int i = 0; i < n; ++i) {
    scratch = i * 3;
    for (int k = 0; k < 5; ++k) scratch += k;
    out[i] = scratch;
  }
  printf("private %ld\n", sum());

  int base = 11;
  double factor = 1.5;
  char small = 3;
  float single = 2.5f;
#pragma omp parallel for firstprivate(base, factor, small, single)
  for (int i = 0; i < n; ++i) out[i] = (int)(base + factor * i + small * single);
  printf("firstprivate %ld\n", sum());

  int table[16];
  for (int k = 0; k < 16; ++k) table[k] = k * k;
#pragma omp parallel for firstprivate(table) schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    table[i % 16] += 0;
    out[i] = table[i % 16] + i;
  }
  printf("firstprivate array %ld\n", sum());

  struct pair {
    int a;
    double b;
  } p = {4, 2.25};
#pragma omp parallel for firstprivate(p)
  for (int i = 0; i < n; ++i) out[i] = p.a * i + (int)p.b;
  printf("firstprivate struct %ld\n", sum());

  int last = -1;
  double last_real = -1;
#pragma omp parallel for lastprivate(last, last_real)
  for (int i = 0; i < n; ++i) {
    last = i * 2;
    last_real = i / 2.0;
  }
  printf("lastprivate %d %g\n", last, last_real);
#pragma omp parallel for lastprivate(last) schedule(dynamic, 7)
  for (int i = 0; i < n; i += 4) last = i;
  printf("lastprivate dynamic %d\n", last);
#pragma omp parallel for lastprivate(last) schedule(static, 7)
  for (int i = n; i > 2; i -= 4) last = i;
  printf("lastprivate chunks %d\n", last);
  last = -5;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < last; ++i) last = i;
  printf("lastprivate of nothing %d\n", last);
  int index;
#pragma omp parallel for simd lastprivate(index)
  for (index = 0; index < n; ++index) out[index] = index;
  printf("the loop's variable %d\n", index);
  // First and last of one variable: every slice starts with what it was before the loop.
  int both = 5;
#pragma omp parallel for firstprivate(both) lastprivate(both)
  for (int i = 0; i < n; ++i) {
    out[i] = i == n - 1 ? 0 : both;
    if (i == n - 1) both = i;
  }
  printf("both %ld %d\n", sum(), both);

  int choice = 1;
  for (int round = 0; round < 2; ++round) {
    int order = 0;
#pragma omp parallel for if (round == choice)
    for (int i = 0; i < n; ++i) out[i] = i + round;
    printf("if %ld\n", sum());
    // Serial when the clause says so: iterations may depend on each other.
#pragma omp parallel for if (0)
    for (int i = 0; i < n; ++i) out[i] = order++;
    printf("if 0 %ld\n", sum());
#pragma omp parallel for if (round > 1)
    for (int i = 1; i < n; ++i) out[i] = out[i - 1] * 3 % 1001;
    printf("if serial %ld\n", sum());
#pragma omp parallel for num_threads(1)
    for (int i = 1; i < n; ++i) out[i] = out[i - 1] * 5 % 1001;
    printf("one thread %ld\n", sum());
#pragma omp parallel for num_threads(2 - choice)
    for (int i = 1; i < n; ++i) out[i] = out[i - 1] * 7 % 1001 + i;
    printf("one thread, it turns out %ld\n", sum());
#pragma omp parallel for if (round >= 0) num_threads(2 - choice)
    for (int i = 1; i < n; ++i) out[i] = out[i - 1] * 11 % 1001 + i;
    printf("one thread, though it may be parallel %ld\n", sum());
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < n; ++i) out[i] = i * 5;
    printf("three threads %ld\n", sum());
  }

#pragma omp parallel for collapse(2)
  for (int i = 0; i < 30; ++i) {
    for (int j = 0; j < 100; ++j) out[i * 100 + j] = i - j;
  }
  printf("collapse 2 %ld\n", sum());
#pragma omp parallel for collapse(3) schedule(dynamic, 5)
  for (int i = 0; i < 10; ++i) {
    for (unsigned j = 0; j < 30; ++j) {
      for (long k = 9; k >= 0; --k) out[i * 300 + (int)j * 10 + k] = i * (int)j + (int)k;
    }
  }
  printf("collapse 3 %ld\n", sum());
  int rows = 60, columns = 50;
#pragma omp parallel for collapse(2) schedule(static, 11) lastprivate(last)
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; j++) {
      out[i * columns + j] = j;
      last = i * columns + j;
    }
  }
  printf("collapse of variables %ld %d\n", sum(), last);
  int length = rows * 50;
  int *heap = malloc(sizeof(int) * length);
#pragma omp parallel for shared(heap) default(none) firstprivate(length)
  for (int i = 0; i < length; ++i) heap[i] = i ^ 5;
  long h = 0;
  for (int i = 0; i < length; ++i) h += heap[i];
  printf("default none %ld\n", h);
  free(heap);
  int vla_length = n / 3;
  int vla[vla_length];
#pragma omp parallel for
  for (int i = 0; i < vla_length; ++i) vla[i] = i * 2;
  h = 0;
  for (int i = 0; i < vla_length; ++i) h += vla[i] * (long)i;
  printf("array of variable length %ld\n", h);
  return 0;
}
