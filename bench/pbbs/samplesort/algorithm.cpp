#include <functional>

#include TAKT_PBBS_PARALLEL

#include "pbbs/samplesort/config.hpp"

namespace takt::bench::pbbs {
namespace {

// Buckets by splitters from a sample, each sorted by itself.
void sort(const samplesort_problem::input& /*in*/, samplesort_problem::answer& out) {
  parallel::sort(out.data(), out.size(), std::less<>());
}

const enrol_parallel<parallel, samplesort_random, sort> random;
const enrol_parallel<parallel, samplesort_exponential, sort> exponential;
const enrol_parallel<parallel, samplesort_almost, sort> almost;

}  // namespace
}  // namespace takt::bench::pbbs
