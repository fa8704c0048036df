#include "stencil/config.hpp"

namespace takt::bench {
namespace {

const enrol<stencil_problem> loops("serial", [](const stencil_problem::input& in, stencil_problem::answer& out) {
  const std::int64_t n = in.side;
  stencil_problem::run(
      out, [n](const double* from, double* to) { stencil_problem::sweep(n, from, to, 1, n - 1, 1, n - 1); });
});

}  // namespace
}  // namespace takt::bench
