// Every reduction operator on several types, and several at a time.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 5000 };
static int value[n];

// Sums of whole numbers, which are exact in any order: rows of a matrix with gaps, of 0 to 40 entries, in many rounds, so
// that the short ones become free. Nothing is known of the arrays' lengths.
static double *matrix, *factor;
static int *column, width = 50;
static void rows(void) {
  matrix = malloc(41 * width * sizeof *matrix);
  factor = malloc(80 * sizeof *factor);
  column = malloc(80 * sizeof *column);
  for (int i = 0; i < 41 * width; ++i) matrix[i] = value[i];
  for (int k = 0; k < 80; ++k) {
    column[k] = value[k] % 50;
    factor[k] = value[k] % 7;
  }
  double left = 1e6;
  float check = 0;
#pragma omp parallel for reduction(- : left) reduction(+ : check)
  for (int round = 0; round < 80; ++round) {
    const double *const m = matrix, *const f = factor;
    const int *const c = column;
    const long apart = width;
#pragma omp parallel for reduction(- : left) reduction(+ : check)
    for (int length = 0; length <= 40; ++length) {
#pragma omp parallel for reduction(- : left) reduction(+ : check)
      for (int l = 0; l < 41; ++l) {
        double sum = l, less = -0.0;
#pragma omp parallel for reduction(+ : sum)
        for (int k = 0; k < length; ++k) sum += f[k] * m[l * apart + c[k]];
#pragma omp parallel for reduction(- : less)
        for (int k = 0; k < length; ++k) less -= m[l * apart + c[k + length]];
        left -= sum / 64 + less;
        check += (float)((int)sum % 11);
      }
    }
  }
  printf("rows %.17g %g\n", left, check);
}

int main(void) {
  for (int i = 0; i < n; ++i) value[i] = (int)((i * 2654435761u) >> 12) % 1000 + 1;

  int sum = 3, difference = 100;
  unsigned long product = 1;
#pragma omp parallel for reduction(+ : sum) reduction(- : difference) reduction(* : product)
  for (int i = 0; i < n; ++i) {
    sum += value[i];
    difference -= value[i];
    product *= value[i] % 2 ? 3 : 1;
  }
  printf("arithmetic %d %d %lu\n", sum, difference, product);

  unsigned all = ~0u, any = 0, odd = 0;
#pragma omp parallel for reduction(& : all) reduction(| : any) reduction(^ : odd) schedule(dynamic, 9)
  for (int i = 0; i < n; ++i) {
    all &= value[i] | 0xff00;
    any |= value[i];
    odd ^= value[i];
  }
  printf("bits %x %x %x\n", all, any, odd);

  bool every = true, some = false;
#pragma omp parallel for reduction(&& : every) reduction(|| : some)
  for (int i = 0; i < n; ++i) {
    every = every && value[i] > 0;
    some = some || value[i] == 17;
  }
  printf("logic %d %d\n", every, some);

  int least = 1 << 30, most = -1;
  double least_real = 1e300, most_real = -1e300;
  unsigned char small_most = 0;
#pragma omp parallel for reduction(min : least, least_real) reduction(max : most, most_real, small_most)
  for (int i = 0; i < n; ++i) {
    if (value[i] < least) least = value[i];
    if (value[i] > most) most = value[i];
    if (value[i] * 0.5 < least_real) least_real = value[i] * 0.5;
    if (value[i] * 0.5 > most_real) most_real = value[i] * 0.5;
    if ((unsigned char)value[i] > small_most) small_most = (unsigned char)value[i];
  }
  printf("extrema %d %d %g %g %d\n", least, most, least_real, most_real, small_most);

  float single = 0;
  double real = 0.5;
#pragma omp parallel for reduction(+ : single, real)
  for (int i = 0; i < n; ++i) {
    single += (float)(value[i] % 8);
    real += value[i] * 0.25;
  }
  printf("floating %g %g\n", single, real);

  int histogram[10] = {0};
  double columns[3][4] = {{0}};
#pragma omp parallel for reduction(+ : histogram, columns)
  for (int i = 0; i < n; ++i) {
    histogram[value[i] % 10]++;
    columns[value[i] % 3][i % 4] += 1;
  }
  for (int k = 0; k < 10; ++k) printf("%d ", histogram[k]);
  for (int k = 0; k < 12; ++k) printf("%g ", columns[k / 4][k % 4]);
  printf("\n");

  int section[20] = {0};
  int length = 20;
#pragma omp parallel for reduction(+ : section[0 : 20])
  for (int i = 0; i < n; ++i) section[value[i] % 20]++;
#pragma omp parallel for reduction(+ : section[0 : length])
  for (int i = 0; i < n; ++i) section[value[i] % length]++;
  for (int k = 0; k < 20; ++k) printf("%d ", section[k]);
  printf("\n");

  long nested = 0;
#pragma omp parallel for reduction(+ : nested)
  for (int i = 0; i < 100; ++i) {
    long row = 0;
#pragma omp parallel for reduction(+ : row)
    for (int j = 0; j < i * 3; ++j) {
      long cell = 0;
#pragma omp parallel for reduction(+ : cell) schedule(static, 3)
      for (int k = 0; k < j % 7; ++k) cell += i + j + k;
      row += cell;
    }
    nested += row;
  }
  printf("nested %ld\n", nested);

  // Clang says of it that iterations touch nothing of each other's, and is wrong: it gives half of that for -O1 with
  // grainsize(64) and one thread.
  long one = value[3], of_tasks = 0;
#pragma omp parallel if (width < 3)
#pragma omp single
#pragma omp taskloop simd reduction(+ : of_tasks)
  for (int i = 0; i < 64; ++i) of_tasks += one;
  printf("tasks and simd %ld\n", of_tasks);

  rows();
  return 0;
}
