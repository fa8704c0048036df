#include "stencil/config.hpp"

#include <takt/subranges.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

const enrol<stencil_problem> tiles("takt", [](const stencil_problem::input& in, stencil_problem::answer& out) {
  const std::int64_t n = in.side;
  const takt::box inner({1, 1}, {n - 1, n - 1});
  const takt::tile one(stencil_problem::k_tile_rows, stencil_problem::k_tile_columns);
  stencil_problem::run(out, [&](const double* from, double* to) {
    takt::parallel_for(inner, one, [=](const auto& part) {
      for (std::int64_t r = part.first[0]; r < part.last[0]; ++r) {
        const auto row = static_cast<std::size_t>(part.last[1] - part.first[1]) * sizeof(double);
        takt::touch(from + r * n + part.first[1], row);
        takt::touch(to + r * n + part.first[1], row);
      }
      stencil_problem::sweep(n, from, to, part.first[0], part.last[0], part.first[1], part.last[1]);
    });
  });
});

}  // namespace
}  // namespace takt::bench
