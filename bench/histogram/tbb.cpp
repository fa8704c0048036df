#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>

#include "histogram/config.hpp"

namespace takt::bench {
namespace {

void histogram(const histogram_problem::input& in, histogram_problem::answer& out) {
  using part = tbb::blocked_range<std::size_t>;
  using counters = std::array<std::size_t, histogram_problem::k_buckets>;
  tbb::combinable<counters> all([] { return counters{}; });
  tbb::parallel_for(part(0, in.size()), [&](const part& some) {
    counters& own = all.local();
    for (std::size_t k = some.begin(); k != some.end(); ++k) {
      ++own[in[k]];
    }
  });
  out.assign(histogram_problem::k_buckets, 0);
  all.combine_each([&](const counters& own) {
    for (std::size_t b = 0; b < own.size(); ++b) {
      out[b] += own[b];
    }
  });
}

const enrol<histogram_problem> tasks("tbb", histogram);

}  // namespace
}  // namespace takt::bench
