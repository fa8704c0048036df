#include "quadrature/config.hpp"

namespace takt::bench {
namespace {

[[gnu::noinline]] double integrate(double x1, double y1, double x2, double y2) {
  const auto mid = quadrature_problem::bisect(x1, y1, x2, y2);
  if (mid.fine_enough) {
    return mid.area;
  }
  return integrate(x1, y1, mid.x, mid.y) + integrate(mid.x, mid.y, x2, y2);
}

const enrol<quadrature_problem> serial(
    "serial", [](const quadrature_problem::input& in, double& out) {
      out = integrate(0.0, quadrature_problem::f(0.0), in.upper, quadrature_problem::f(in.upper));
    });

}  // namespace
}  // namespace takt::bench
