// Exceptions that iterations throw and catch.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
int checked(int i) {
  if (i % 5 == 0) throw std::out_of_range("five");
  if (i % 7 == 0) throw i;
  return i;
}
}  // namespace

int main() {
  std::vector<int> out(700);
  int caught = 0;
#pragma omp parallel for reduction(+ : caught)
  for (int i = 0; i < 700; ++i) {
    try {
      out[i] = checked(i);
    } catch (const std::exception& error) {
      out[i] = static_cast<int>(std::string(error.what()).size());
      ++caught;
    } catch (int x) {
      out[i] = -x;
    }
  }
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 700; ++i) {
      try {
        out[i] += checked(out[i] + 1000);
      } catch (...) {
        out[i] = 0;
      }
    }
#pragma omp single
    {
      try {
        out[0] = checked(5);
      } catch (const std::out_of_range&) {
        out[0] = 77;
      }
    }
  }
  long s = caught;
  for (int x : out) s = (s * 3 + x) % 1000003;
  std::printf("%ld\n", s);
}
// converted: 2 loops, 1 regions, 0 left
