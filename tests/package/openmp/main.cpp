// Loops of the program and of a library that it is linked with. Exit code 0: the sum is right.
#include <vector>

long total(const std::vector<long>& v);

int main() {
  std::vector<long> v(1000);
#pragma omp parallel for
  for (long i = 0; i < 1000; ++i) v[static_cast<std::size_t>(i)] = i;
  return total(v) == 499500 ? 0 : 1;
}
