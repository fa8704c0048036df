#include "rested/config.hpp"

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

using problem = rested_problem;

[[gnu::noinline]] void once(std::size_t iterations, std::uint64_t* out) {
  takt::parallel_for(std::size_t{0}, iterations, [=](std::size_t i) {
    takt::touch(&out[i], sizeof out[i]);
    out[i] = problem::iteration(i);
  });
}

const enrol_rested<once> all("takt");

}  // namespace
}  // namespace takt::bench
