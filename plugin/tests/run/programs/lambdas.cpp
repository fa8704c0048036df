// Loops in lambdas, lambdas in loops, and captures by value and by reference.
#include <cstdio>
#include <vector>

int main() {
  std::vector<long> v(400);
  long by = 3;
  const auto add = [&](long what) {
#pragma omp parallel for
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += what * by;
  };
  add(2);
  by = 4;
  add(1);
  const auto square = [](long x) { return x * x; };
#pragma omp parallel for firstprivate(square)
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = square(v[i]) + static_cast<long>(i);
  const auto sum = [v](long start) {
    long s = start;
#pragma omp parallel for reduction(+ : s)
    for (std::size_t i = 0; i < v.size(); ++i) s += v[i];
    return s;
  };
  const auto twice = [&](auto&& what) {
#pragma omp parallel
    {
#pragma omp for
      for (int i = 0; i < 400; ++i) what(v[i]);
#pragma omp for
      for (int i = 0; i < 400; ++i) what(v[i]);
    }
  };
  twice([](long& x) { x = x % 1009 * 3; });
  std::printf("%ld %ld\n", sum(5), sum(v[7]));
  long t = 0;
  for (long x : v) t += x;
  std::printf("%ld\n", t);
}
// converted: 5 loops, 1 regions, 0 left
