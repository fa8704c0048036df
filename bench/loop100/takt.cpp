#include "loop100/config.hpp"

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

using problem = loop100_problem;

[[gnu::noinline]] void once(std::int64_t* counts) {
  takt::parallel_for(0, problem::k_iterations, [=](int i) {
    takt::touch(&counts[i], sizeof counts[i]);
    counts[i] += 1;
  });
}

const enrol<problem> loop("takt", [](const problem::input& in, problem::answer& out) {
  for (std::int64_t call = 0; call < in.calls; ++call) {
    once(out.data());
  }
});

}  // namespace
}  // namespace takt::bench
