#include "rested/config.hpp"

namespace takt::bench {
namespace {

using problem = rested_problem;

[[gnu::noinline]] void once(std::size_t iterations, std::uint64_t* out) {
  for (std::size_t i = 0; i < iterations; ++i) {
    out[i] = problem::iteration(i);
  }
}

const enrol_rested<once> all("serial");

}  // namespace
}  // namespace takt::bench
