#include "mandelbrot/config.hpp"

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

using problem = mandelbrot_problem;

void draw(const problem::input& in, problem::answer& out) {
  const std::int64_t width = in.width;
  std::uint16_t* image = out.data();
  takt::parallel_for(std::int64_t{0}, width, [=](std::int64_t j) {
    takt::parallel_for(std::int64_t{0}, width, [=](std::int64_t i) {
      takt::touch(&image[j * width + i], sizeof *image);
      image[j * width + i] = problem::escape_time(width, i, j);
    });
  });
}

const enrol<problem> loops("takt", draw);

}  // namespace
}  // namespace takt::bench
