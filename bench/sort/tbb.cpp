#include <tbb/parallel_sort.h>

#include "sort/config.hpp"

namespace takt::bench {
namespace {

void sort(const sort_problem::input& /*in*/, sort_problem::answer& out) {
  tbb::parallel_sort(out.begin(), out.end());
}

const enrol<sort_random_problem> random("tbb", sort);
const enrol<sort_almost_problem> almost("tbb", sort);
const enrol<sort_few_problem> few("tbb", sort);

}  // namespace
}  // namespace takt::bench
