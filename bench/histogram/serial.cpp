#include "histogram/config.hpp"

namespace takt::bench {
namespace {

void histogram(const histogram_problem::input& in, histogram_problem::answer& out) {
  out.assign(histogram_problem::k_buckets, 0);
  for (const std::uint32_t x : in) {
    ++out[x];
  }
}

const enrol<histogram_problem> serial("serial", histogram);

}  // namespace
}  // namespace takt::bench
