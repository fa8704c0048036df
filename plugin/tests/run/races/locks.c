// Critical sections of different names do not keep each other out.
enum { n = 1000 };
static long sum;

int main(void) {
  int others = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // As in shared.c.
    for (long spins = 0; i == 0 && spins < 1000000000 && !__atomic_load_n(&others, __ATOMIC_RELAXED); ++spins) {
    }
    if (i == 0) {
#pragma omp critical(one)
      sum += i + 1;
    } else {
#pragma omp critical(other)
      sum += i + 1;
    }
    if (i != 0) __atomic_store_n(&others, 1, __ATOMIC_RELAXED);
  }
  return sum == 1;
}
