// What stands beside the tasks of a reduction may use its variable, and a copy may begin as what that is: neither may meet
// a task that has been run on the variable itself.
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

using numbers = std::vector<long>;

void unite(numbers& into, const numbers& from) {
  if (from.size() > into.size()) into.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
}
#pragma omp declare reduction(unite : numbers : unite(omp_out, omp_in)) initializer(omp_priv = omp_orig)

// Each task may move the vector elsewhere, while others make theirs from it.
numbers grown(int tasks) {
  numbers x(5000, 1);
#pragma omp taskgroup task_reduction(unite : x)
  for (int i = 0; i < tasks; ++i) {
#pragma omp task in_reduction(unite : x) firstprivate(i)
    {
      const std::size_t wanted = 5000 + static_cast<std::size_t>(i) * 50;
      if (x.size() < wanted) {
        numbers larger(wanted, 0);
        std::copy(x.begin(), x.end(), larger.begin());
        x.swap(larger);
      }
      x[wanted - 1] = std::max(x[wanted - 1], long{i});
    }
  }
  return x;
}

// The value is read before a call whose waits run what has been put off.
long added_up(int n) {
  long x = 0;
  if (n == 0) return 0;
#pragma omp taskgroup task_reduction(+ : x)
  {
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : x)
      x += 1;
    }
    x = x + added_up(n - 1);
  }
  return x;
}

// It is kept over a wait.
long kept() {
  long x = 0, other = 0;
#pragma omp taskgroup task_reduction(+ : x)
  {
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : x)
      x += 1;
    }
    const long before = x;
#pragma omp taskgroup
    {
#pragma omp task shared(other)
      other = 1;
    }
    x = before + 100;
  }
  return x + other;
}

}  // namespace

int main() {
  for (int round = 0; round < 10; ++round) {
    numbers x;
    long a = 0, b = 0;
#pragma omp parallel
#pragma omp single
    {
      x = grown(60);
      a = added_up(5);
      b = kept();
    }
    long sum = 0;
    for (const long value : x) sum += value;
    std::printf("%zu elements, %ld; %ld; %ld\n", x.size(), sum, a, b);
  }
}
// converted: 0 loops, 1 regions, 0 left
