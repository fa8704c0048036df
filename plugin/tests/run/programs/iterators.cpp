// Random access iterators: of containers and of the program's own.
#include <cstddef>
#include <cstdio>
#include <deque>
#include <iterator>
#include <vector>

namespace {
/// The squares from 0 on.
struct squares {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = long;
  using difference_type = std::ptrdiff_t;
  using pointer = const long*;
  using reference = long;
  long at = 0;
  long operator*() const { return at * at; }
  squares& operator++() { return *this += 1; }
  squares& operator--() { return *this += -1; }
  squares& operator+=(std::ptrdiff_t by) {
    at += by;
    return *this;
  }
  squares& operator-=(std::ptrdiff_t by) {
    at -= by;
    return *this;
  }
  friend squares operator+(squares s, std::ptrdiff_t by) { return s += by; }
  friend std::ptrdiff_t operator-(const squares& a, const squares& b) { return a.at - b.at; }
  friend bool operator<(const squares& a, const squares& b) { return a.at < b.at; }
};
}  // namespace

int main() {
  std::vector<long> v(300);
#pragma omp parallel for
  for (auto it = v.begin(); it < v.end(); ++it) *it = it - v.begin();
#pragma omp parallel for schedule(static, 4)
  for (auto it = v.rbegin(); it < v.rend(); it += 3) *it *= 2;
  std::deque<int> d(200, 3);
  long s = 0;
#pragma omp parallel for reduction(+ : s)
  for (auto it = d.begin(); it != d.end(); ++it) s += *it;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 3)
  for (squares i{3}; i < squares{100}; i += 2) s += *i;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (auto it = v.cbegin(); it < v.cend(); ++it) s += *it;
#pragma omp for
    for (auto it = d.begin(); it < d.end(); ++it) *it += 1;
  }
  for (int x : d) s += x;
  std::printf("%ld\n", s);
}
// converted: 6 loops, 1 regions, 0 left
