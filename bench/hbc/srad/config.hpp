// Reductions and loops over an image in turns, each with both levels parallel.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/srad/program.h"

namespace takt::bench {

struct hbc_srad_problem {
  static constexpr problem_info info =
      hbc_info("hbc_srad", "speckle-reducing anisotropic diffusion", "rows", 3000, 20'000);
  struct input {
    std::int64_t rows;
    std::vector<double> image;
  };
  struct answer {
    std::vector<double> image;
    std::vector<double> north;
    std::vector<double> south;
    std::vector<double> west;
    std::vector<double> east;
    std::vector<double> coefficient;
  };

  // As Rodinia: exp() of random numbers.
  static input make(const request& wanted) {
    input in{size_of(wanted, info), {}};
    in.image.resize(static_cast<std::size_t>(in.rows * in.rows));
    random_source random(12);
    for (double& pixel : in.image) {
      pixel = std::exp(random.unit());
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.image = in.image;
    for (auto* part : {&out.north, &out.south, &out.west, &out.east, &out.coefficient}) {
      part->assign(in.image.size(), -1.0);
    }
  }
  static hbc_srad arguments(const input& in, answer& out) {
    return {in.rows,           in.rows,          10,
            0.5,               out.image.data(), out.north.data(),
            out.south.data(),  out.west.data(),  out.east.data(),
            out.coefficient.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got.image, expected.image);
  }
};

}  // namespace takt::bench
