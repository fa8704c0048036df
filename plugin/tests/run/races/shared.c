// Iterations write the same variable, without an order.
enum { n = 1000 };
static long v[n];

int main(void) {
  long last = 0;
  int others = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // The first iteration waits for another thread, which by the relaxed order tells it nothing.
    for (long spins = 0; i == 0 && spins < 1000000000 && !__atomic_load_n(&others, __ATOMIC_RELAXED); ++spins) {
    }
    last = i;
    v[i] = last;
    if (i != 0) __atomic_store_n(&others, 1, __ATOMIC_RELAXED);
  }
  return v[n - 1] == n;
}
