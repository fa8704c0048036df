// Loops over ranges.
#include <array>
#include <cstdio>
#include <vector>

int main() {
  std::vector<int> v(500);
#pragma omp parallel for
  for (int& x : v) x = static_cast<int>(&x - v.data());
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (const auto& x : v) s += x;
  std::array<double, 40> a{};
#pragma omp parallel for schedule(dynamic)
  for (auto& x : a) x = 0.5;
  int table[30] = {};
#pragma omp parallel for
  for (auto& x : table) x = 2;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (auto x : table) s += x;
#pragma omp for
    for (auto& x : v) x += 1;
  }
  for (double x : a) s += static_cast<long>(2 * x);
  for (int x : v) s = s * 3 % 1000003 + x;
  std::printf("%ld\n", s);
}
// converted: 6 loops, 1 regions, 0 left
