// Sections and arrays whose length is known only at run time.
#include "show.h"
#include <stdlib.h>

struct pair { int least, sum; };
static void join(struct pair *out, const struct pair *in) {
  if (in->least < out->least) out->least = in->least;
  out->sum += in->sum;
}
#pragma omp declare reduction(pair : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = {1 << 30, 0})

static void variable_arrays(int length) {
  double a[length], scale = 0;
  long b[3][length];
  for (int i = 0; i < length; ++i) a[i] = b[0][i] = b[1][i] = b[2][i] = i;
#pragma omp parallel for reduction(+ : a) reduction(max : scale) reduction(+ : b[1 : 2][0 : length])
  for (int i = 0; i < n; ++i) {
    a[i % length] += i;
    b[1 + i % 2][i * 3 % length]++;
    if (i * 7 % n > scale) scale = i * 7 % n;
  }
  for (int i = 0; i < length; ++i) v[i] = (long)a[i] + b[0][i] * 3 + b[1][i] * 5 + b[2][i] * 7 + (long)scale;
  show("variable arrays");
}

int main(int argc, char **argv) {
  (void)argv;
  int length = 12 * argc, from = 5 * argc, rows = 0;
  long *heap = v;
#pragma omp parallel for reduction(+ : heap[0 : length])
  for (int i = 0; i < n; ++i) heap[i % length] += i;
  show("from the start");
#pragma omp parallel for reduction(max : heap[from : length]) schedule(dynamic, 3)
  for (int i = 0; i < n; ++i) {
    if (i > heap[from + i % length]) heap[from + i % length] = i;
  }
  show("from the middle");
  char *letters = calloc(length, 1);
  long sum = 3;
  float table[4] = {1, 2, 3, 4};
#pragma omp parallel for reduction(^ : letters[ : length]) reduction(+ : sum, heap[ : from]) reduction(+ : table)
  for (int i = 0; i < n; ++i) {
    letters[i % length] ^= (char)i;
    sum += i;
    heap[i % from]--;
    table[i % 4] += 1;
  }
  for (int i = 0; i < length; ++i) v[100 + i] = letters[i];
  for (int i = 0; i < 4; ++i) v[200 + i] = (long)table[i];
  show("with others");
  number("sum", sum);
/* Under sanitizers, Clang itself looks at the first element. */
#if !__has_feature(address_sanitizer)
#pragma omp parallel for reduction(+ : heap[3 : rows])
#endif
  for (int i = 0; i < n; ++i) sum ^= 0;
  show("of no length");
  /* Larger than the stack of a slice should hold. */
  int large = 100000 * argc;
  int *counts = calloc(large, sizeof(int));
#pragma omp parallel for reduction(+ : counts[0 : large])
  for (int i = 0; i < 200; ++i) counts[i * 4999L % large]++;
  long all = 0;
  for (int i = 0; i < large; ++i) all += (long)i * counts[i];
  number("large", all);
  struct pair *pairs = malloc(length * sizeof *pairs);
  for (int i = 0; i < length; ++i) pairs[i] = (struct pair){i * 100, i};
#pragma omp parallel for reduction(pair : pairs[0 : length])
  for (int i = 0; i < n; ++i) {
    struct pair one = {n - i, i};
    join(&pairs[i % length], &one);
  }
  for (int i = 0; i < length; ++i) number("pair", pairs[i].least * 1000L + pairs[i].sum);
#pragma omp parallel for reduction(+ : heap[0 : length])
  for (int i = 0; i < 40; ++i) {
#pragma omp parallel for reduction(+ : heap[0 : from])
    for (int j = 0; j < 30; ++j) heap[(i + j) % from] += j;
    heap[i % length] += i;
  }
  show("in one another");
#pragma omp parallel
  {
#pragma omp for reduction(+ : heap[0 : length])
    for (int i = 0; i < n; ++i) heap[i % length] += 1;
#pragma omp for reduction(+ : heap[from : from])
    for (int i = 0; i < n; ++i) heap[from + i % from] += 2;
  }
  show("in a region");
#pragma omp parallel for if (argc > 1) reduction(+ : heap[0 : length])
  for (int i = 0; i < n; ++i) heap[i % length] += i;
  show("serial");
  variable_arrays(length + 1);
  free(letters);
  free(counts);
  free(pairs);
  return 0;
}
// converted: 12 loops, 1 regions, 0 left
