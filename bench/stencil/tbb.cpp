#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include "stencil/config.hpp"

namespace takt::bench {
namespace {

const enrol<stencil_problem> tiles("tbb", [](const stencil_problem::input& in, stencil_problem::answer& out) {
  using range = tbb::blocked_range2d<std::int64_t>;
  const std::int64_t n = in.side;
  stencil_problem::run(out, [n](const double* from, double* to) {
    tbb::parallel_for(range(1, n - 1, stencil_problem::k_tile_rows, 1, n - 1, stencil_problem::k_tile_columns),
                      [=](const range& part) {
                        stencil_problem::sweep(n, from, to, part.rows().begin(), part.rows().end(),
                                               part.cols().begin(), part.cols().end());
                      });
  });
});

}  // namespace
}  // namespace takt::bench
