#include "quadrature/config.hpp"

#include <takt/takt.hpp>

namespace takt::bench {
namespace {

[[gnu::noinline]] double integrate(double x1, double y1, double x2, double y2) {
  const auto mid = quadrature_problem::bisect(x1, y1, x2, y2);
  if (mid.fine_enough) {
    return mid.area;
  }
  // Copied out so that each branch captures its four doubles and nothing else of `mid`.
  const double x = mid.x;
  const double y = mid.y;
  auto [a, b] = takt::fork_join([=] { return integrate(x1, y1, x, y); },
                                [=] { return integrate(x, y, x2, y2); });
  return a + b;
}

const enrol<quadrature_problem> forks(
    "takt", [](const quadrature_problem::input& in, double& out) {
      out = integrate(0.0, quadrature_problem::f(0.0), in.upper, quadrature_problem::f(in.upper));
    });

}  // namespace
}  // namespace takt::bench
