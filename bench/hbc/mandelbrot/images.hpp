// Several images, one call of mandelbrot's program each: what a worker learns about chunks in one
// call it takes into the next. Not a row of the table; for chunking.py.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/problem.hpp"
#include "hbc/inputs.hpp"
#include "hbc/mandelbrot/program.h"

namespace takt::bench {

struct hbc_image {
  std::int64_t rows;
  std::int32_t most;
};

struct hbc_mandelbrot_images_problem {
  static constexpr problem_info info = [] {
    problem_info of = hbc_info("hbc_mandelbrot_images", "mandelbrot of images one after the other",
                               "rows", 400, 20'000);
    of.group = {};
    return of;
  }();
  struct input {
    std::vector<hbc_image> images;
    std::int64_t points;
  };
  using answer = std::vector<std::int32_t>;

  // --input ROWSxSTEPS,...: an image has twice as many columns as rows. Without it there is a dear
  // one, and a cheap one.
  static input make(const request& wanted) {
    const std::int64_t rows = size_of(wanted, info);
    input in{{{rows, 1000}, {rows, 10}}, 0};
    if (!wanted.input.empty()) {
      in.images = parsed(wanted.input);
    }
    for (const hbc_image& image : in.images) {
      in.points += points_of(image);
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.assign(static_cast<std::size_t>(in.points), -1);
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }

  template <auto Program, auto Before>
  static void run(const input& in, answer& out) {
    Before();
    std::int32_t* steps = out.data();
    for (const hbc_image& image : in.images) {
      const hbc_mandelbrot arguments{image.rows, 2 * image.rows, image.most, steps};
      Program(&arguments);
      steps += points_of(image);
    }
  }

 private:
  static std::int64_t points_of(const hbc_image& image) { return 2 * image.rows * image.rows; }

  static std::vector<hbc_image> parsed(std::string_view text) {
    std::vector<hbc_image> images;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
      hbc_image image{};
      const auto rows = std::from_chars(at, end, image.rows);
      const bool has_rows = rows.ec == std::errc{} && rows.ptr != end && *rows.ptr == 'x';
      const auto most = std::from_chars(has_rows ? rows.ptr + 1 : end, end, image.most);
      if (most.ec != std::errc{} || (most.ptr != end && *most.ptr != ',') || image.rows < 1 ||
          image.rows > info.size_max || image.most < 1) {
        throw input_error(std::string(info.name) + ": '" + std::string(text) +
                          "' is not ROWSxSTEPS,...");
      }
      images.push_back(image);
      if (most.ptr == end) {
        return images;
      }
      at = most.ptr + 1;
    }
  }
};

}  // namespace takt::bench

// TAKT_HBC_ENROL_IMAGES(VARIANT, SYSTEM, BEFORE), after TAKT_HBC_ENROL of mandelbrot: the same for
// its images.
#define TAKT_HBC_ENROL_IMAGES(variant, system, before)               \
  const enrol<hbc_mandelbrot_images_problem> images_##variant(       \
      system, hbc_mandelbrot_images_problem::run<&hbc_mandelbrot_##variant, &before>);
