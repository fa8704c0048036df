// Strassen's multiplication: seven products of halves, each with its two sums and its result.
#include "memory/parallel.hpp"
#include "memory/programs.hpp"

#include <functional>
#include <vector>

namespace bench {

namespace {

constexpr std::size_t k_leaf = 128;

struct view {
  double* first;
  std::size_t stride;
  double* row(std::size_t i) const noexcept { return first + i * stride; }
  view quarter(std::size_t down, std::size_t right, std::size_t half) const noexcept {
    return {row(down * half) + right * half, stride};
  }
};

void multiply_leaf(view a, view b, view c, std::size_t n) {
  each(n, [=](std::size_t i) {
    double* const to = c.row(i);
    for (std::size_t j = 0; j < n; ++j) to[j] = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a.row(i)[k];
      const double* const from = b.row(k);
      for (std::size_t j = 0; j < n; ++j) to[j] += factor * from[j];
    }
  });
}

// to = x + sign * y.
void add(view x, double sign, view y, view to, std::size_t n) {
  each(n, [=](std::size_t i) {
    for (std::size_t j = 0; j < n; ++j) to.row(i)[j] = x.row(i)[j] + sign * y.row(i)[j];
  });
}

void multiply(view a, view b, view c, std::size_t n) {
  if (n <= k_leaf) {
    multiply_leaf(a, b, c, n);
    return;
  }
  const std::size_t h = n / 2;
  const auto qa = [=](std::size_t i, std::size_t j) { return a.quarter(i, j, h); };
  const auto qb = [=](std::size_t i, std::size_t j) { return b.quarter(i, j, h); };
  std::vector<double> products[7];
  // m = (x + s * y) * (u + t * v); a sign of 0 means x or u alone.
  const auto product = [&](std::size_t which, view x, double s, view y, view u, double t, view v) {
    std::vector<double> left(s != 0 ? h * h : 0);
    std::vector<double> right(t != 0 ? h * h : 0);
    if (s != 0) add(x, s, y, x = {left.data(), h}, h);
    if (t != 0) add(u, t, v, u = {right.data(), h}, h);
    products[which].resize(h * h);
    multiply(x, u, {products[which].data(), h}, h);
  };
  each(7, [&](std::size_t which) {
    switch (which) {
      case 0:
        return product(0, qa(0, 0), 1, qa(1, 1), qb(0, 0), 1, qb(1, 1));
      case 1:
        return product(1, qa(1, 0), 1, qa(1, 1), qb(0, 0), 0, qb(0, 0));
      case 2:
        return product(2, qa(0, 0), 0, qa(0, 0), qb(0, 1), -1, qb(1, 1));
      case 3:
        return product(3, qa(1, 1), 0, qa(1, 1), qb(1, 0), -1, qb(0, 0));
      case 4:
        return product(4, qa(0, 0), 1, qa(0, 1), qb(1, 1), 0, qb(1, 1));
      case 5:
        return product(5, qa(1, 0), -1, qa(0, 0), qb(0, 0), 1, qb(0, 1));
      default:
        return product(6, qa(0, 1), -1, qa(1, 1), qb(1, 0), 1, qb(1, 1));
    }
  });
  each(h, [&](std::size_t i) {
    const auto m = [&](std::size_t which) { return products[which].data() + i * h; };
    for (std::size_t j = 0; j < h; ++j) {
      c.row(i)[j] = m(0)[j] + m(3)[j] - m(4)[j] + m(6)[j];
      c.row(i)[h + j] = m(2)[j] + m(4)[j];
      c.row(h + i)[j] = m(1)[j] + m(3)[j];
      c.row(h + i)[h + j] = m(0)[j] - m(1)[j] + m(2)[j] + m(5)[j];
    }
  });
}

class strassen final : public program {
 public:
  explicit strassen(std::size_t n) : n_(k_leaf) {
    while (n_ < n) n_ *= 2;
    a_.resize(n_ * n_);
    b_.resize(n_ * n_);
    c_.resize(n_ * n_);
    // Small whole numbers: sums are exact in any order.
    for (std::size_t i = 0; i < n_ * n_; ++i) {
      a_[i] = static_cast<double>(scrambled(2 * i) % 7);
      b_[i] = static_cast<double>(scrambled(2 * i + 1) % 7);
    }
  }
  void compute() override { multiply({a_.data(), n_}, {b_.data(), n_}, {c_.data(), n_}, n_); }
  std::uint64_t checksum() const override {
    std::uint64_t sum = 0;
    for (const double x : c_) sum = mixed(sum, static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    return sum;
  }

 private:
  std::size_t n_;
  std::vector<double> a_, b_, c_;
};

}  // namespace

program* make_strassen(std::size_t n) { return new strassen(n); }

}  // namespace bench
