// samplesort: 64-bit floating-point numbers, sorted by comparison.
#pragma once

#include <vector>

#include "harness/problem.hpp"
#include "pbbs/generate/keys.hpp"

namespace takt::bench::pbbs {

constexpr problem_info samplesort_info(std::string_view name, std::string_view about) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "keys",
          .size_default = 10'000'000,
          .size_min = 1,
          .size_max = 1'000'000'000,
          .group = "pbbs",
          .counts_tasks = true};
}

struct samplesort_problem {
  using input = std::vector<double>;
  using answer = std::vector<double>;

  static void reset(const input& in, answer& out) { out = in; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

struct samplesort_random : samplesort_problem {
  static constexpr problem_info info =
      samplesort_info("samplesort_random", "sort of uniform doubles");
  static input make(const request& wanted) {
    return uniform_doubles(static_cast<std::size_t>(size_of(wanted, info)));
  }
};

struct samplesort_exponential : samplesort_problem {
  static constexpr problem_info info =
      samplesort_info("samplesort_exponential", "sort of exponential doubles");
  static input make(const request& wanted) {
    return exponential_doubles(static_cast<std::size_t>(size_of(wanted, info)));
  }
};

struct samplesort_almost : samplesort_problem {
  static constexpr problem_info info =
      samplesort_info("samplesort_almost", "sort of doubles that are almost sorted");
  static input make(const request& wanted) {
    return almost_sorted_doubles(static_cast<std::size_t>(size_of(wanted, info)));
  }
};

}  // namespace takt::bench::pbbs
