// C++: containers, iterators, range-for, lambdas, templates, members, private objects, exceptions inside iterations.
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <class T>
T sum_of(const std::vector<T>& v) {
  T total{};
#pragma omp parallel for reduction(+ : total)
  for (std::size_t i = 0; i < v.size(); ++i) total += v[i];
  return total;
}

class matrix {
 public:
  explicit matrix(int n) : n_(n), cells_(static_cast<std::size_t>(n) * n) {}
  void fill() {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n_; ++i) {
      for (int j = 0; j < n_; ++j) cells_[static_cast<std::size_t>(i) * n_ + j] = i * 3 + j;
    }
  }
  long trace() const {
    long t = 0;
#pragma omp parallel for reduction(+ : t)
    for (int i = 0; i < n_; ++i) t += cells_[static_cast<std::size_t>(i) * n_ + i];
    return t;
  }

 private:
  int n_;
  std::vector<long> cells_;
};

struct counter {
  int value = 40;
  counter() = default;
  counter(const counter& other) : value(other.value + 1) {}
  counter& operator=(const counter&) = default;
  ~counter() { value = 0; }
};

struct extent {
  int low = 1 << 30, high = -(1 << 30);
  void add(const extent& other) {
    if (other.low < low) low = other.low;
    if (other.high > high) high = other.high;
  }
};
/// x -> a x + b modulo a prime; composition is associative, but the order matters.
struct affine {
  unsigned long a = 1, b = 0;
  void then(const affine& next) {
    b = (next.a * b + next.b) % 1000003;
    a = a * next.a % 1000003;
  }
};
#pragma omp declare reduction(compose : affine : omp_out.then(omp_in))
#pragma omp declare reduction(widen : extent : omp_out.add(omp_in))

}  // namespace

int main() {
  std::vector<long> v(4000);
#pragma omp parallel for
  for (auto& x : v) x = &x - v.data();
  std::printf("range for %ld\n", sum_of(v));
#pragma omp parallel for
  for (auto it = v.begin(); it < v.end(); ++it) *it *= 2;
  std::printf("iterators %ld\n", sum_of(v));
  const auto add = [&](long by) {
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += by;
  };
  add(3);
  std::printf("lambda %ld %d\n", sum_of(v), sum_of(std::vector<int>(100, 7)));
  matrix m(60);
  m.fill();
  std::printf("member %ld\n", m.trace());

  counter c;
  std::vector<int> copies(1000);
#pragma omp parallel for firstprivate(c)
  for (int i = 0; i < 1000; ++i) copies[i] = c.value > 0;
  counter last;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < 1000; ++i) last.value = i;
  std::printf("objects %d %d\n", std::accumulate(copies.begin(), copies.end(), 0), last.value);

  extent e;
#pragma omp parallel for reduction(widen : e)
  for (int i = 0; i < 5000; ++i) {
    const int at = static_cast<int>((i * 2654435761u) % 100003);
    e.add(extent{at, at});
  }
  std::printf("declared reduction %d %d\n", e.low, e.high);

  affine all;
#pragma omp parallel for reduction(compose : all)
  for (int i = 0; i < 5000; ++i)
    all.then(affine{static_cast<unsigned long>(i % 97 + 2), static_cast<unsigned long>(i)});
  std::printf("in order %lu %lu\n", all.a, all.b);

  std::vector<std::string> names(500);
#pragma omp parallel for
  for (int i = 0; i < 500; ++i) {
    try {
      if (i % 3 == 0) throw std::runtime_error("three");
      names[i] = std::to_string(i);
    } catch (const std::exception& error) {
      names[i] = error.what();
    }
  }
  std::size_t letters = 0;
  for (const auto& name : names) letters += name.size();
  std::printf("exceptions %zu %s %s\n", letters, names[3].c_str(), names[499].c_str());
  return 0;
}
