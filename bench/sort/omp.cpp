#include <parallel/algorithm>

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
