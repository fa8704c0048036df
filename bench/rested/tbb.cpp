#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "rested/config.hpp"

namespace takt::bench {
namespace {

using problem = rested_problem;
using range = tbb::blocked_range<std::size_t>;

[[gnu::noinline]] void once(std::size_t iterations, std::uint64_t* out) {
  tbb::parallel_for(range(0, iterations), [=](const range& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i) {
      out[i] = problem::iteration(i);
    }
  });
}

const enrol_rested<once> all("tbb");

}  // namespace
}  // namespace takt::bench
