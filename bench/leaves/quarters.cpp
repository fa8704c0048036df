// A matrix product by quarters, as somebody writes it who has just met takt: four branches at a time, and leaves of 48
// rows and columns. One source for the serial program and the forked one.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <takt/takt.hpp>

#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {
namespace {

struct quarters_problem {
  static constexpr problem_info info{.name = "quarters",
                                     .about = "a matrix product by quarters",
                                     .form = kind::forks,
                                     .size_unit = "rows",
                                     .size_default = 384,
                                     .size_min = 1,
                                     .size_max = 1 << 14};
  struct input {
    std::size_t rows;
    std::vector<double> a;
    std::vector<double> b;
  };
  using answer = std::vector<double>;

  static input make(const request& wanted) {
    const auto rows = static_cast<std::size_t>(size_of(wanted, info));
    input in{rows, std::vector<double>(rows * rows), std::vector<double>(rows * rows)};
    random_source random(50);
    for (double& x : in.a) {
      x = random.unit();
    }
    for (double& x : in.b) {
      x = random.unit();
    }
    return in;
  }
  static void reset(const input& in, answer& out) { out.assign(in.rows * in.rows, 0.0); }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) { return got == expected; }
};

template <bool Forks>
TAKT_BENCH_RECURSIVE void multiply(const double* a, const double* b, double* c, std::size_t n, std::size_t stride) {
  if (n <= 48) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const double x = a[i * stride + k];
        for (std::size_t j = 0; j < n; ++j) {
          c[i * stride + j] += x * b[k * stride + j];
        }
      }
    }
    return;
  }
  const std::size_t half = n / 2;
  const auto quarter = [=](auto* of, std::size_t i, std::size_t j) {
    return of + (i == 0 ? 0 : half * stride) + (j == 0 ? 0 : half);
  };
  // A size is 48 times a power of two: no row is left over.
  for (std::size_t k = 0; k < 2; ++k) {
    const auto part = [=](std::size_t i, std::size_t j) {
      return [=] { multiply<Forks>(quarter(a, i, k), quarter(b, k, j), quarter(c, i, j), half, stride); };
    };
    if constexpr (Forks) {
      takt::parallel_invoke(part(0, 0), part(0, 1), part(1, 0), part(1, 1));
    } else {
      part(0, 0)();
      part(0, 1)();
      part(1, 0)();
      part(1, 1)();
    }
  }
}

template <bool Forks>
void run(const quarters_problem::input& in, std::vector<double>& out) {
  multiply<Forks>(in.a.data(), in.b.data(), out.data(), in.rows, in.rows);
}

const enrol<quarters_problem> serial("serial", &run<false>);
const enrol<quarters_problem> forks("takt", &run<true>);

}  // namespace
}  // namespace takt::bench
