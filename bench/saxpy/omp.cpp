#include "harness/omp_support.hpp"
#include "saxpy/config.hpp"

namespace takt::bench {
namespace {

// One loop level only, so the nested form is the static one.
const enrol_omp_loops<saxpy_problem> loops(
    []<schedule S>(const saxpy_problem::input& in, std::vector<float>& out) {
      const float a = in.a;
      const float* x = in.x.data();
      float* y = out.data();
      omp_outer_loop<S>(static_cast<std::int64_t>(in.x.size()),
                        [=](std::int64_t i) { y[i] += a * x[i]; });
    });

}  // namespace
}  // namespace takt::bench
