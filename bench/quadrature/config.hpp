// quadrature: adaptive trapezoid rule, a fork at every bisection. Each fork captures four
// doubles, so its time shows what captures cost.
#pragma once

#include <cmath>

#include "harness/compare.hpp"
#include "harness/problem.hpp"

namespace takt::bench {

struct quadrature_problem {
  static constexpr problem_info info{.name = "quadrature",
                                     .about = "adaptive integration of x^3 + x",
                                     .form = kind::forks,
                                     .size_unit = "upper",
                                     .size_default = 2000,
                                     .size_min = 1,
                                     .size_max = 20000};
  struct input {
    double upper;
  };
  using answer = double;

  static double f(double x) { return (x * x + 1.0) * x; }

  // The interval [x1, x2] cut in the middle, and whether that was worth it.
  struct bisection {
    double x;
    double y;
    double area;
    bool fine_enough;
  };
  static bisection bisect(double x1, double y1, double x2, double y2) {
    constexpr double k_allowed = 1e-9;
    const double half = (x2 - x1) * 0.5;
    const double x = x1 + half;
    const double y = f(x);
    const double whole = (y1 + y2) * half;
    const double area = ((y1 + y) + (y + y2)) * 0.5 * half;
    return {x, y, area, std::fabs(area - whole) < k_allowed};
  }

  static input make(const request& wanted) {
    return {static_cast<double>(size_of(wanted, info))};
  }
  static void reset(const input& /*in*/, answer& out) { out = -1.0; }
  static bool same(const input& in, answer got, answer expected) {
    const double u = in.upper;
    const double exact = u * u * u * u / 4.0 + u * u / 2.0;
    return near(got, expected, expected) && std::fabs(got - exact) <= 1e-6 * exact;
  }
};

}  // namespace takt::bench
