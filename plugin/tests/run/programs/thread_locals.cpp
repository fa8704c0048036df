// Iterations read a thread-local variable of the thread that they are on, also when they have waited for a loop in between.
#include <cstdio>
#include <sys/types.h>
#include <unistd.h>

namespace {

int& level() {
  static thread_local int it = 1;
  return it;
}
bool is_first_thread() { return gettid() == getpid(); }

}  // namespace

// What it points to is not known.
bool (*is_first)() = &is_first_thread;

int main() {
  level() = 2;
  long sum = 0;
  int wrong = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for reduction(+ : sum, wrong)
    for (int i = 0; i < 200; ++i) {
      wrong += level() != (is_first() ? 2 : 1);
      long inside = 0;
#pragma omp parallel for reduction(+ : inside)
      for (int k = 0; k < 300; ++k) {
        for (int step = 0; step < 30; ++step) inside = (inside * 31 + k + i) % 1000003;
        inside -= level() > 2;
      }
      sum += inside;
      wrong += level() != (is_first() ? 2 : 1);
    }
  }
  std::printf("%d %d\n", wrong, sum > 0);
}
// converted: 2 loops, 0 regions, 0 left
