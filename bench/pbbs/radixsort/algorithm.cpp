#include TAKT_PBBS_PARALLEL

#include "pbbs/radixsort/config.hpp"

namespace takt::bench::pbbs {
namespace {

// From the most significant byte on, one stable distribution after the other.
template <class P>
void sort(const typename P::input& /*in*/, typename P::answer& out) {
  parallel::integer_sort(out.data(), out.size(), key_of{});
}

template <class P>
using enrolled = enrol_parallel<parallel, P, sort<P>>;

const enrolled<radixsort_random> random;
const enrolled<radixsort_exponential> exponential;
const enrolled<radixsort_pairs> pairs;

}  // namespace
}  // namespace takt::bench::pbbs
