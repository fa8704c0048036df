// matmul SIZE [THREADS]: matrices in quarters, down to 32 rows; SIZE is a power of two.
#include "entry.hpp"

#include <algorithm>
#include <vector>

namespace {

void multiply(const int* a, const int* b, int* c, long n, long row) {
  if (n <= 32) {
    for (long i = 0; i < n; ++i) {
      for (long k = 0; k < n; ++k) {
        for (long j = 0; j < n; ++j) c[i * row + j] += a[i * row + k] * b[k * row + j];
      }
    }
    return;
  }
  const long k = n / 2;
  const auto quarters = [=](const int* a_left, const int* b_top) {
    takt::parallel_invoke([=] { multiply(a_left, b_top, c, k, row); },
                          [=] { multiply(a_left, b_top + k, c + k, k, row); },
                          [=] { multiply(a_left + k * row, b_top, c + k * row, k, row); },
                          [=] { multiply(a_left + k * row, b_top + k, c + k * row + k, k, row); });
  };
  quarters(a, b);
  quarters(a + k, b + k * row);
}

}  // namespace

int main(int argc, char** argv) {
  league::use_threads(argc, argv, 2);
  const long n = league::number(argc, argv, 1, 2048);
  return league::measure("matmul", "matrix_size", n, [=] {
    const std::vector<int> a(static_cast<std::size_t>(n * n), 1), b = a;
    std::vector<int> c(a.size(), 0);
    multiply(a.data(), b.data(), c.data(), n, n);
    return std::all_of(c.begin(), c.end(), [=](int one) { return one == n; });
  });
}
