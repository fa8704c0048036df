// Critical sections of different names do not keep each other out.
enum { n = 1000 };
static long sum;

int main(void) {
  int begun[2] = {0, 0};
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // As in shared.c.
    if (i % (n - 1) == 0) {
      __atomic_store_n(&begun[i != 0], 1, __ATOMIC_RELAXED);
      for (long spins = 0; spins < 1000000000 && !__atomic_load_n(&begun[i == 0], __ATOMIC_RELAXED); ++spins) {
      }
    }
    if (i == 0) {
#pragma omp critical(one)
      sum = 1;
    } else {
#pragma omp critical(other)
      sum += i;
    }
  }
  return sum == 1;
}
