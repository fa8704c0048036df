#include "harness/omp_support.hpp"
#include "rested/config.hpp"

namespace takt::bench {
namespace {

using problem = rested_problem;

template <schedule S>
[[gnu::noinline]] void once(std::size_t iterations, std::uint64_t* out) {
  omp_outer_loop<S>(static_cast<std::int64_t>(iterations), [=](std::int64_t i) {
    out[i] = problem::iteration(static_cast<std::size_t>(i));
  });
}

const enrol_rested<once<schedule::fixed>> fixed("omp-static");
const enrol_rested<once<schedule::dynamic>> dynamic("omp-dynamic");
const enrol_rested<once<schedule::guided>> guided("omp-guided");
const enrol_rested<once<schedule::nested>> nested("omp-nested");

}  // namespace
}  // namespace takt::bench
