#include "harness/omp_support.hpp"
#include "loop100/config.hpp"

namespace takt::bench {
namespace {

using problem = loop100_problem;

template <schedule S>
[[gnu::noinline]] void once(std::int64_t* counts) {
  omp_outer_loop<S>(problem::k_iterations, [=](std::int64_t i) { counts[i] += 1; });
}

const enrol_omp_loops<problem> loops(
    []<schedule S>(const problem::input& in, problem::answer& out) {
      for (std::int64_t call = 0; call < in.calls; ++call) {
        once<S>(out.data());
      }
    });

}  // namespace
}  // namespace takt::bench
