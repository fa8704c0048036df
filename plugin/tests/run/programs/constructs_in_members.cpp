// Constructs of a region in members, templates and lambdas that it calls, some of which may throw.
#include <stdexcept>
#include <vector>

#include "show.h"

class field {
 public:
  explicit field(long by) : values_(n, by) {}
  void add(const field& other) {
#pragma omp for
    for (int i = 0; i < n; ++i) values_[i] += other.values_[i] * i;
  }
  long sum() {
#pragma omp single
    sum_ = 0;
#pragma omp for reduction(+ : sum_)
    for (int i = 0; i < n; ++i) sum_ += values_[i];
    const long answer = sum_;
#pragma omp barrier
    return answer;
  }
  // Each thread has one.
  template <class F>
  void change(F how, int turn) {
    if (turn < 0) throw std::runtime_error("turn");
    const std::vector<long> table{turn, turn + 1, turn + 2};
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i) values_[i] = how(values_[i] + table[i % 3]);
  }
  long operator[](int i) const { return values_[i]; }

 private:
  std::vector<long> values_;
  long sum_ = 0;
};

int main() {
  field a(1), b(2);
  long first = 0, second = 0;
#pragma omp parallel
  {
    a.add(b);
    b.add(a);
    const long sum = a.sum();
#pragma omp single
    first = sum;
  }
  number("sum", first);
#pragma omp parallel
  {
    a.add(b);
    const auto halved = [&](field& of) {
#pragma omp for
      for (int i = 0; i < n; ++i) v[i] = of[i] / 2;
    };
    halved(a);
    const long sum = b.sum();
#pragma omp single
    second = sum;
  }
  number("sum", second);
  show("halves");
#pragma omp parallel
  for (int turn = 0; turn < 4; ++turn) a.change([turn](long x) { return x % 1000 + turn; }, turn);
  for (int i = 0; i < n; ++i) v[i] = a[i];
  show("changed");
  return 0;
}
// converted: 6 loops, 2 regions, 1 left
