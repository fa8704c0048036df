// Declared reductions over classes, with and without destructors.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {
struct bounds {
  int low = 1 << 30, high = -(1 << 30);
  void add(int x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void add(const bounds& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};
#pragma omp declare reduction(join:bounds : omp_out.add(omp_in))
#pragma omp declare reduction(append : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))
using words = std::map<std::string, int>;
void merge(words& to, const words& from) {
  for (const auto& [word, count] : from) to[word] += count;
}
#pragma omp declare reduction(merge:words : merge(omp_out, omp_in))
struct modular {
  long value = 0;
  modular& operator+=(const modular& other) {
    value = (value + other.value) % 1009;
    return *this;
  }
};
#pragma omp declare reduction(+ : modular : omp_out += omp_in)
}  // namespace

int main() {
  bounds b;
  std::vector<int> odd;
  words w;
  modular m;
#pragma omp parallel for reduction(join : b) reduction(+ : m)
  for (int i = 0; i < 2000; ++i) {
    b.add(i * 37 % 1009 - 100);
    m += modular{i};
  }
#pragma omp parallel for reduction(append : odd) reduction(merge : w)
  for (int i = 0; i < 300; ++i) {
    if (i % 2) odd.push_back(i);
    w[std::to_string(i % 5)]++;
  }
  std::sort(odd.begin(), odd.end());
  std::printf("%d %d %ld %zu %d\n", b.low, b.high, m.value, odd.size(), odd[7]);
  for (const auto& [word, count] : w) std::printf("%s %d\n", word.c_str(), count);
}
// converted: 1 loops, 0 regions, 1 left
