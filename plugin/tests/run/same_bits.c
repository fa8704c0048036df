// Sums of doubles in loops of each form. With TAKT_DETERMINISTIC=1 each of them has the same bits each time: "differs" is
// printed of one that has not, and the script compares what other numbers of workers and other beats give.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { k_count = 20000, k_rounds = 60 };
static double x[k_count];

static double long_loop(void) {
  double sum = 0.5;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < k_count; ++i) sum += x[i];
  return sum;
}

static double short_loops(void) {
  double sum = 0.1;
  for (int n = 0; n < 200; n += 7) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += x[i];
  }
  return sum;
}

// The rows may be free, or be divided.
static double nested(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int row = 0; row < 100; ++row) {
    double of_row = 0.1;
#pragma omp parallel for reduction(+ : of_row)
    for (int i = row; i < k_count; i += 100) of_row += x[i];
    sum += of_row * of_row;
  }
  return sum;
}

// An iteration may take any time.
static double one_by_one(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int n = 1; n < 300; ++n) {
    double of_n = 0;
    for (int i = n; i < k_count; i += n * n) of_n += x[i];
    sum += of_n;
  }
  return sum;
}

static double chunks(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 37)
  for (int i = 0; i < k_count; ++i) sum += x[i];
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
  for (int i = 0; i < k_count; ++i) sum -= x[i] * x[i];
  return sum;
}

static double arrays(int length) {
  double sums[5] = {0.1, 0.2, 0.3, 0.4, 0.5};
#pragma omp parallel for reduction(+ : sums)
  for (int i = 0; i < k_count; ++i) sums[i % 5] += x[i];
  double* section = calloc((size_t)length, sizeof *section);
#pragma omp parallel for reduction(+ : section[0 : length])
  for (int i = 0; i < k_count; ++i) section[i % length] += x[i];
  double all = 0;
  for (int i = 0; i < 5; ++i) all += sums[i] * (i + 1);
  for (int i = 0; i < length; ++i) all += section[i] * (i + 1);
  free(section);
  return all;
}

// More than one loop, and a thread's own sum.
static double region(void) {
  double sum = 0, other = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < k_count; ++i) sum += x[i];
    double mine = 0;
#pragma omp for
    for (int i = 0; i < k_count; ++i) mine += x[i] * 3;
#pragma omp critical
    other += mine;
  }
  return sum + other;
}

// To begin is dear: such loops claim from a pool.
static double pooled(void) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    double* scratch = malloc(4096 * sizeof *scratch);
    memset(scratch, 0, 4096 * sizeof *scratch);
#pragma omp for nowait
    for (int i = 0; i < k_count; ++i) {
      scratch[i % 4096] = x[i];
      sum += scratch[i % 4096];
    }
    free(scratch);
  }
  return sum;
}

static double last_value(void) {
  double sum = 0, last = 0;
#pragma omp parallel for reduction(+ : sum) lastprivate(last)
  for (int i = 0; i < k_count; ++i) {
    last = x[i];
    sum += last;
  }
  return sum + last * 1e3;
}

static double one(int form) {
  switch (form) {
    case 0: return long_loop();
    case 1: return short_loops();
    case 2: return nested();
    case 3: return one_by_one();
    case 4: return chunks();
    case 5: return arrays(700);
    case 6: return arrays(5000);
    case 7: return region();
    case 8: return pooled();
    default: return last_value();
  }
}

int main(void) {
  for (int i = 0; i < k_count; ++i) x[i] = sin(i) * (i % 17 == 0 ? 1e6 : 1e-3);
  double first[10];
  for (int round = 0; round < k_rounds; ++round) {
    for (int form = 0; form < 10; ++form) {
      const double sum = one(form);
      if (round == 0) {
        first[form] = sum;
        printf("%d: %a\n", form, sum);
      } else if (memcmp(&first[form], &sum, sizeof sum) != 0) {
        printf("%d: differs: %a\n", form, sum);
        return 0;
      }
    }
  }
  return 0;
}
