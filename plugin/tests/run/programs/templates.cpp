// Loops in templates.
#include <cstdio>
#include <numeric>
#include <vector>

namespace {
template <class T, int Chunk>
T dot(const std::vector<T>& a, const std::vector<T>& b) {
  T s{};
#pragma omp parallel for reduction(+ : s) schedule(static, Chunk)
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}
template <class Index>
void fill(std::vector<long>& v, Index from, Index to) {
#pragma omp parallel
  {
#pragma omp for
    for (Index i = from; i < to; ++i) v[static_cast<std::size_t>(i)] = static_cast<long>(i);
#pragma omp for
    for (Index i = from; i < to; ++i) v[static_cast<std::size_t>(i)] *= 2;
  }
}
template <class... T>
long all(const T&... vectors) {
  return (dot<long, 3>(vectors, vectors) + ...);
}
}  // namespace

int main() {
  std::vector<int> a(200, 2), b(200, 3);
  std::vector<double> x(100, 0.5), y(100, 4);
  std::vector<long> v(300), w(50, 2);
  fill<int>(v, 0, 100);
  fill<unsigned char>(v, 100, 200);
  fill<unsigned long>(v, 200, 300);
  std::printf("%d %g %ld %ld\n", dot<int, 1>(a, b), dot<double, 7>(x, y), std::accumulate(v.begin(), v.end(), 0l),
              all(v, w));
}
// converted: 9 loops, 3 regions, 0 left
