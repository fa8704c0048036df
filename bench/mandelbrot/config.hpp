// mandelbrot: escape times over a square image, both loop levels parallel. Rows differ by a
// factor of fifty, but each is long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/problem.hpp"

namespace takt::bench {

struct mandelbrot_problem {
  static constexpr problem_info info{.name = "mandelbrot",
                                     .about = "escape times over a square image",
                                     .form = kind::loops,
                                     .size_unit = "width",
                                     .size_default = 1000,
                                     .size_min = 1,
                                     .size_max = 30000};
  struct input {
    std::int64_t width;
  };
  using answer = std::vector<std::uint16_t>;

  // Times the point of column i and row j can be iterated before it escapes, at most 255.
  static std::uint16_t escape_time(std::int64_t width, std::int64_t i, std::int64_t j) {
    constexpr std::uint16_t k_most = 255;
    const double step = 3.0 / static_cast<double>(width);
    const double cx = -2.25 + step * static_cast<double>(i);
    const double cy = -1.5 + step * static_cast<double>(j);
    double x = 0.0;
    double y = 0.0;
    std::uint16_t count = 0;
    while (count < k_most && x * x + y * y <= 4.0) {
      const double next_x = x * x - y * y + cx;
      y = 2.0 * x * y + cy;
      x = next_x;
      ++count;
    }
    return count;
  }

  static input make(const request& wanted) { return {size_of(wanted, info)}; }
  static void reset(const input& in, answer& image) {
    constexpr std::uint16_t k_unwritten = 0xFFFF;
    image.assign(static_cast<std::size_t>(in.width * in.width), k_unwritten);
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
