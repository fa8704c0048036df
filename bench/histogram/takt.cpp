#include <takt/algorithms/histogram.hpp>

#include "harness/touching.hpp"
#include "histogram/config.hpp"

namespace takt::bench {
namespace {

void histogram(const histogram_problem::input& in, histogram_problem::answer& out) {
  out = takt::histogram(in, histogram_problem::k_buckets, touching{});
}

const enrol<histogram_problem> parts("takt", histogram);

}  // namespace
}  // namespace takt::bench
