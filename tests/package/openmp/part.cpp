// A loop in a shared library.
#include <vector>

long total(const std::vector<long>& v) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long x : v) sum += x;
  return sum;
}
