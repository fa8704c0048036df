// References and bindings to parts of things as shared and private variables.
#include <cstdio>
#include <utility>
#include <vector>

namespace {
long fill(std::vector<long>& v, const int& count, long& sum) {
#pragma omp parallel for
  for (int i = 0; i < count; ++i) v[i] = i;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < count; ++i) sum += v[i];
  return sum;
}
}  // namespace

int main() {
  std::vector<long> v(300);
  long sum = 4;
  int count = 300;
  std::printf("%ld\n", fill(v, count, sum));
  std::pair<int, double> p{3, 0.5};
  int& whole = p.first;
  double& part = p.second;
#pragma omp parallel for firstprivate(whole) shared(part)
  for (int i = 0; i < 300; ++i) v[i] += whole + static_cast<long>(2 * part);
  long& last = v[299];
  int& alias = count;
#pragma omp parallel for lastprivate(alias)
  for (int i = 0; i < 100; ++i) alias = i;
#pragma omp parallel
  {
    const long& seen = last;
#pragma omp for
    for (int i = 0; i < 299; ++i) v[i] += seen;
#pragma omp for
    for (int i = 0; i < 299; ++i) v[i] -= 1;
  }
  long s = 0;
  for (long x : v) s = (s * 3 + x) % 1000003;
  std::printf("%ld %d\n", s, count);
}
// converted: 6 loops, 1 regions, 0 left
