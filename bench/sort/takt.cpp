#include <takt/algorithms/sort.hpp>

#include "harness/touching.hpp"
#include "sort/config.hpp"

namespace takt::bench {
namespace {

void sort(const sort_problem::input& /*in*/, sort_problem::answer& out) {
  takt::sort(out, {}, touching{});
}

const enrol<sort_random_problem> random("takt", sort);
const enrol<sort_almost_problem> almost("takt", sort);
const enrol<sort_few_problem> few("takt", sort);

}  // namespace
}  // namespace takt::bench
