// The parallel mode derives from std::binary_function, which Clang reports in its own text.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#endif
#include <parallel/algorithm>
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#include "sort/config.hpp"

namespace takt::bench {
namespace {

void sort(const sort_problem::input& /*in*/, sort_problem::answer& out) {
  __gnu_parallel::sort(out.begin(), out.end());
}

const enrol<sort_random_problem> random("omp", sort);
const enrol<sort_almost_problem> almost("omp", sort);
const enrol<sort_few_problem> few("omp", sort);

}  // namespace
}  // namespace takt::bench
