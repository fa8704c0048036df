// Iterations write the same variable, without an order.
enum { n = 1000 };
static long v[n];

int main(void) {
  long last = 0;
  int begun[2] = {0, 0};
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // The first and the last iteration wait for each other, and so run at the same time. The relaxed order tells them
    // nothing else.
    if (i % (n - 1) == 0) {
      __atomic_store_n(&begun[i != 0], 1, __ATOMIC_RELAXED);
      for (long spins = 0; spins < 1000000000 && !__atomic_load_n(&begun[i == 0], __ATOMIC_RELAXED); ++spins) {
      }
    }
    last = i;
    v[i] = last;
  }
  return v[n - 1] == n;
}
