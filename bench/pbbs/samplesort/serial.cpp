#include <algorithm>

#include "pbbs/samplesort/config.hpp"

namespace takt::bench::pbbs {
namespace {

void sort(const samplesort_problem::input& /*in*/, samplesort_problem::answer& out) {
  std::sort(out.begin(), out.end());
}

const enrol<samplesort_random> random("serial", sort);
const enrol<samplesort_exponential> exponential("serial", sort);
const enrol<samplesort_almost> almost("serial", sort);

}  // namespace
}  // namespace takt::bench::pbbs
