// A function of another file leaves by an exception while its tasks wait: who catches finds them at its next wait.
#include <cstdio>

void other_throws(int x, long& sum);

static void add(long& to, long what) {
#pragma omp atomic
  to += what;
}

int main() {
  long sum = 0, seen = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 40; ++i) {
#pragma omp task shared(sum)
      add(sum, 3);
      try {
        other_throws(i, sum);
      } catch (int x) {
        add(sum, x);
      }
#pragma omp task shared(sum)
      add(sum, 5);
#pragma omp taskwait
      seen = seen * 3 % 1000003 + sum;
    }
  }
  std::printf("%ld %ld\n", sum, seen);
  return 0;
}
