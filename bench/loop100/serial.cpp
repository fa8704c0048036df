#include "loop100/config.hpp"

namespace takt::bench {
namespace {

using problem = loop100_problem;

// noinline here and in the other programs: the calls must not be merged into one loop.
[[gnu::noinline]] void once(std::int64_t* counts) {
  for (int i = 0; i < problem::k_iterations; ++i) {
    counts[i] += 1;
  }
}

const enrol<problem> serial("serial", [](const problem::input& in, problem::answer& out) {
  for (std::int64_t call = 0; call < in.calls; ++call) {
    once(out.data());
  }
});

}  // namespace
}  // namespace takt::bench
