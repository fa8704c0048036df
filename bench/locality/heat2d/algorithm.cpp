#include "heat2d/config.hpp"

#include "locality/parallel.hpp"

namespace takt::bench {
namespace {

// The leaf kernel: row `i` but for its ends.
void step_row(const double* from, double* to, std::size_t rows, std::size_t stride, std::size_t i) {
  const double* const here = from + i * stride;
  double* const out = to + i * stride;
  for (std::size_t row = i - 1; row <= i + 1; ++row) {
    par::touch(from + row * stride, rows * sizeof *from);
  }
  par::touch(out, rows * sizeof *out);
  for (std::size_t j = 1; j + 1 < rows; ++j) {
    out[j] = here[j] + 0.2 * (here[j - 1] + here[j + 1] + here[j - stride] + here[j + stride] - 4 * here[j]);
  }
}

const enrol<heat2d_problem> program(par::k_system, [](const heat2d_problem::input& in, heat2d_problem::answer& out) {
  const std::size_t rows = in.rows;
  const std::size_t stride = in.stride();
  double* from = out.grid.data();
  double* to = out.other.data();
  par::affinity same;
  static_assert(heat2d_problem::k_steps % 2 == 0, "the last step leaves the grid where it was");
  for (int step = 0; step < heat2d_problem::k_steps; ++step) {
    par::outer_loop(rows - 2, 2 * rows * stride * sizeof *from, same,
                    [=](std::size_t i) { step_row(from, to, rows, stride, i + 1); });
    std::swap(from, to);
  }
});

}  // namespace
}  // namespace takt::bench
