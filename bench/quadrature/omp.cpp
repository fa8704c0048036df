#include "harness/omp_support.hpp"
#include "quadrature/config.hpp"

namespace takt::bench {
namespace {

double integrate(double x1, double y1, double x2, double y2) {
  const auto mid = quadrature_problem::bisect(x1, y1, x2, y2);
  if (mid.fine_enough) {
    return mid.area;
  }
  double a = 0.0;
#pragma omp task shared(a) firstprivate(x1, y1, mid)
  a = integrate(x1, y1, mid.x, mid.y);
  const double b = integrate(mid.x, mid.y, x2, y2);
#pragma omp taskwait
  return a + b;
}

const enrol<quadrature_problem> tasks(
    "omp", [](const quadrature_problem::input& in, double& out) {
      omp_root([&] {
        out = integrate(0.0, quadrature_problem::f(0.0), in.upper, quadrature_problem::f(in.upper));
      });
    });

}  // namespace
}  // namespace takt::bench
