// Reductions over a whole region: each of its loops adds to them.
#include "show.h"

static double x[n + 1];

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i <= n; ++i) x[i] = v[i] = i * 37 % 101;
  long sum = 5, most = -1, singles = 0;
  unsigned bits = 0;
  int product = 1;
  double total = 0.5, least = 1e9;
  float largest = -1;
#pragma omp parallel reduction(+ : sum) reduction(max : most)
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i) sum += v[i];
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < n; ++i) {
      if (v[i] - 3 > most) most = v[i] - 3;
      sum = v[n - i] + sum - 1;
    }
  }
  number("sum", sum);
  number("most", most);
#pragma omp parallel reduction(+ : total, singles) reduction(min : least) reduction(max : largest)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) {
      total += x[i] * x[i];
      least = x[i] < least ? x[i] : least;
    }
#pragma omp single
    {
      singles += 3;
      total -= 1;
    }
#pragma omp master
    singles++;
#pragma omp for nowait
    for (int i = 0; i < n; ++i) {
      largest = largest > (float)x[i] ? largest : (float)x[i];
      v[i] += i;
    }
#pragma omp for nowait
    for (int i = n; i > 0; --i) {
      total -= 0.5 * x[i];
      if (least > x[i] - 4) least = x[i] - 4;
    }
#pragma omp sections
    {
#pragma omp section
      singles += 100;
#pragma omp section
      total += 2;
    }
  }
  number("total", (long)(2 * total));
  number("least", (long)least);
  number("largest", (long)largest);
  number("singles", singles);
  show("v");
#pragma omp parallel reduction(^ : bits) reduction(* : product) num_threads(argc)
  {
    for (int k = 1; k < 4; ++k) {
#pragma omp for
      for (int i = 0; i < n; ++i) {
        bits ^= (unsigned)(i * k);
        v[i] += k;
      }
#pragma omp for
      for (int i = 0; i < n; i += 100) product *= v[i] % 3 + 2;
    }
  }
  number("bits", bits);
  number("product", product % 1000);
#pragma omp parallel reduction(+ : sum) if (argc > 1)
  {
#pragma omp for
    for (int i = 0; i < n; ++i) sum += v[i];
#pragma omp for
    for (int i = 0; i < n; ++i) sum -= i;
  }
  number("sum", sum);
  /* In a loop, and with loops inside. */
#pragma omp parallel for reduction(+ : sum)
  for (int k = 0; k < 20; ++k) {
    long inner = 0;
#pragma omp parallel reduction(+ : inner)
    {
#pragma omp for
      for (int i = 0; i < 50; ++i) {
        long row = 0;
#pragma omp parallel for reduction(+ : row)
        for (int j = 0; j < i; ++j) row += j ^ k;
        inner += row;
      }
#pragma omp for
      for (int i = 0; i < k; ++i) inner += 7;
    }
    sum += inner;
  }
  number("sum", sum);
  return 0;
}
// converted: 14 loops, 5 regions, 0 left
