#include "mandelbrot/config.hpp"

namespace takt::bench {
namespace {

using problem = mandelbrot_problem;

void draw(const problem::input& in, problem::answer& out) {
  const std::int64_t width = in.width;
  std::uint16_t* image = out.data();
  for (std::int64_t j = 0; j < width; ++j) {
    for (std::int64_t i = 0; i < width; ++i) {
      image[j * width + i] = problem::escape_time(width, i, j);
    }
  }
}

const enrol<problem> serial("serial", draw);

}  // namespace
}  // namespace takt::bench
