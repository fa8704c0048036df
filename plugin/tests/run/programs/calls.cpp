// Bodies that call through pointers, virtual functions and the standard library.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

namespace {
struct shape {
  virtual ~shape() = default;
  virtual long area() const = 0;
};
struct square : shape {
  long side;
  explicit square(long s) : side(s) {}
  long area() const override { return side * side; }
};
struct strip : shape {
  long length;
  explicit strip(long l) : length(l) {}
  long area() const override { return 3 * length; }
};
long twice(long x) { return 2 * x; }
long negated(long x) { return -x; }
}  // namespace

int main() {
  std::vector<std::unique_ptr<shape>> shapes(400);
#pragma omp parallel for
  for (int i = 0; i < 400; ++i) {
    if (i % 3 == 0)
      shapes[i] = std::make_unique<square>(i);
    else
      shapes[i] = std::make_unique<strip>(i);
  }
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 400; ++i) s += shapes[i]->area();
  long (*functions[2])(long) = {twice, negated};
  std::function<long(long)> any = [&](long x) { return x + 7; };
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 400; ++i) s += functions[i % 2](i) + any(i);
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < 50; ++i) {
    std::vector<int> v(20);
    for (int k = 0; k < 20; ++k) v[k] = (i * 31 + k * 17) % 23;
    std::sort(v.begin(), v.end());
    s += v[10] + static_cast<long>(std::floor(std::sqrt(static_cast<double>(i)))) + std::abs(v[0] - v[19]);
  }
  std::printf("%ld\n", s);
}
// converted: 4 loops, 0 regions, 0 left
