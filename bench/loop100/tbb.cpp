#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "loop100/config.hpp"

namespace takt::bench {
namespace {

using problem = loop100_problem;
using range = tbb::blocked_range<int>;

[[gnu::noinline]] void once(std::int64_t* counts) {
  tbb::parallel_for(range(0, problem::k_iterations), [=](const range& part) {
    for (int i = part.begin(); i != part.end(); ++i) {
      counts[i] += 1;
    }
  });
}

const enrol<problem> loop("tbb", [](const problem::input& in, problem::answer& out) {
  for (std::int64_t call = 0; call < in.calls; ++call) {
    once(out.data());
  }
});

}  // namespace
}  // namespace takt::bench
