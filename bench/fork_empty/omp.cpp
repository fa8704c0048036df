#include "fork_empty/config.hpp"
#include "harness/omp_support.hpp"

namespace takt::bench {
namespace {

using problem = fork_empty_problem;

const enrol<problem> tasks("omp", [](const problem::input& in, problem::answer& out) {
  omp_root([&] {
    for (std::int64_t i = 0; i < in.forks; ++i) {
#pragma omp task
      {}
#pragma omp taskwait
      problem::keep();
    }
    out = in.forks;
  });
});

}  // namespace
}  // namespace takt::bench
