#include "harness/omp_support.hpp"
#include "mandelbrot/config.hpp"

namespace takt::bench {
namespace {

using problem = mandelbrot_problem;

const enrol_omp_loops<problem> loops(
    []<schedule S>(const problem::input& in, problem::answer& out) {
      const std::int64_t width = in.width;
      std::uint16_t* image = out.data();
      omp_outer_loop<S>(width, [=](std::int64_t j) {
        omp_inner_loop<S>(width, [=](std::int64_t i) {
          image[j * width + i] = problem::escape_time(width, i, j);
        });
      });
    });

}  // namespace
}  // namespace takt::bench
