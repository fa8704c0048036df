#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "mandelbrot/config.hpp"

namespace takt::bench {
namespace {

using problem = mandelbrot_problem;
using rows = tbb::blocked_range<std::int64_t>;

void draw(const problem::input& in, problem::answer& out) {
  const std::int64_t width = in.width;
  std::uint16_t* image = out.data();
  tbb::parallel_for(rows(0, width), [=](const rows& part) {
    for (std::int64_t j = part.begin(); j != part.end(); ++j) {
      for (std::int64_t i = 0; i < width; ++i) {
        image[j * width + i] = problem::escape_time(width, i, j);
      }
    }
  });
}

const enrol<problem> outermost("tbb", draw);

}  // namespace
}  // namespace takt::bench
