#include "sort/config.hpp"

namespace takt::bench {
namespace {

void sort(const sort_problem::input& /*in*/, sort_problem::answer& out) {
  std::sort(out.begin(), out.end());
}

const enrol<sort_random_problem> random("serial", sort);
const enrol<sort_almost_problem> almost("serial", sort);
const enrol<sort_few_problem> few("serial", sort);

}  // namespace
}  // namespace takt::bench
