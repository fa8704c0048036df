// Regions with several loops in C++: private objects, lambdas, range-for, exceptions, and what has to stay.
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct counter {
  int value = 40;
  counter() = default;
  counter(const counter& other) : value(other.value + 1) {}
  counter& operator=(const counter&) = default;
  ~counter() { value = -1; }
};

struct affine {
  unsigned long a = 1, b = 0;
  void then(const affine& next) {
    b = (next.a * b + next.b) % 1000003;
    a = a * next.a % 1000003;
  }
};
#pragma omp declare reduction(compose:affine : omp_out.then(omp_in))

template <class T>
T twice(std::vector<T>& v) {
  T total{};
#pragma omp parallel
  {
#pragma omp for
    for (auto& x : v) x *= 2;
#pragma omp for reduction(+ : total)
    for (auto it = v.begin(); it < v.end(); ++it) total += *it;
  }
  return total;
}

struct grid {
  int size = 40;
  std::vector<double> cells = std::vector<double>(40 * 40, 1.0), next = cells;
  void step(int rounds) {
#pragma omp parallel
    for (int r = 0; r < rounds; ++r) {
#pragma omp for collapse(2)
      for (int i = 1; i < size - 1; ++i) {
        for (int k = 1; k < size - 1; ++k)
          next[i * size + k] = (cells[(i - 1) * size + k] + cells[i * size + k + 1]) / 2 + r;
      }
#pragma omp single
      cells.swap(next);
    }
  }
};

}  // namespace

int main() {
  std::vector<int> v(900, 3);
  std::printf("template %d\n", twice(v));
  std::vector<double> w(500, 0.5);
  std::printf("template %g\n", twice(w));
  grid g;
  g.step(10);
  double all = 0;
  for (double c : g.cells) all += c;
  std::printf("member %.12g\n", all);

  counter c, last;
  std::vector<int> copies(1000);
  affine order;
#pragma omp parallel
  {
#pragma omp for firstprivate(c)
    for (int i = 0; i < 1000; ++i) copies[i] = c.value > 0;
#pragma omp for lastprivate(last) schedule(dynamic, 3)
    for (int i = 0; i < 1000; ++i) last.value = i;
#pragma omp for reduction(compose : order)
    for (int i = 0; i < 2000; ++i)
      order.then(affine{static_cast<unsigned long>(i % 97 + 2), static_cast<unsigned long>(i)});
#pragma omp single
    copies[0] += 5;
  }
  int count = 0;
  for (int x : copies) count += x;
  std::printf("objects %d %d %lu %lu\n", count, last.value, order.a, order.b);

  // An object of each thread's own, used by a loop: threads are what they are.
  long used = 0;
#pragma omp parallel
  {
    std::vector<int> own(10, 1);
#pragma omp for reduction(+ : used)
    for (int i = 0; i < 1000; ++i) {
      own[i % 10] = i;
      used += own[i % 10];
    }
#pragma omp for reduction(+ : used)
    for (int i = 0; i < 1000; ++i) used += i;
  }
  std::printf("own objects %ld\n", used);

  std::map<std::string, int> words;
  std::vector<std::string> names(300);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 300; ++i) {
      try {
        if (i % 3 == 0) throw std::runtime_error("three");
        names[i] = std::to_string(i % 7);
      } catch (const std::exception& error) {
        names[i] = error.what();
      }
    }
#pragma omp for
    for (int i = 0; i < 300; ++i) {
#pragma omp critical
      ++words[names[i]];
    }
  }
  for (const auto& [word, times] : words) std::printf("%s %d, ", word.c_str(), times);
  const auto add = [&](int by) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (std::size_t i = 0; i < v.size(); ++i) v[i] += by;
#pragma omp sections
      {
#pragma omp section
        w[0] = by;
#pragma omp section
        w[1] = by;
      }
    }
  };
  add(4);
  int s = 0;
  for (int x : v) s += x;
  std::printf("lambda %d %g\n", s, w[0] + w[1]);
  return 0;
}
