// sort: 64-bit keys that are random, almost sorted (sqrt(n) random swaps) or of few values (16).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"

namespace takt::bench {

struct sort_problem {
  static constexpr problem_info info_of(std::string_view name, std::string_view about) {
    return {.name = name,
            .about = about,
            .form = kind::forks,
            .size_unit = "keys",
            .size_default = 10'000'000,
            .size_min = 1,
            .size_max = 1'000'000'000};
  }
  using input = std::vector<std::uint64_t>;
  using answer = std::vector<std::uint64_t>;

  static void reset(const input& in, answer& out) { out = in; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

struct sort_random_problem : sort_problem {
  static constexpr problem_info info =
      info_of("sort_random", "sort of random 64-bit keys");

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(11);
    for (std::uint64_t& k : in) {
      k = random.next();
    }
    return in;
  }
};

struct sort_almost_problem : sort_problem {
  static constexpr problem_info info =
      info_of("sort_almost", "sort of keys that are almost sorted");

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(11);
    for (std::size_t k = 0; k < in.size(); ++k) {
      in[k] = k;
    }
    const auto swaps = static_cast<std::size_t>(std::sqrt(static_cast<double>(in.size())));
    for (std::size_t s = 0; s < swaps; ++s) {
      const std::size_t a = random.next() % in.size();
      std::swap(in[a], in[random.next() % in.size()]);
    }
    return in;
  }
};

struct sort_few_problem : sort_problem {
  static constexpr problem_info info =
      info_of("sort_few", "sort of 64-bit keys of 16 values");

  static input make(const request& wanted) {
    input in(static_cast<std::size_t>(size_of(wanted, info)));
    random_source random(11);
    for (std::uint64_t& k : in) {
      k = random.next() % 16;
    }
    return in;
  }
};

}  // namespace takt::bench
