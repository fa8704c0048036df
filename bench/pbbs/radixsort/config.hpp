// radixsort: 32-bit integers, alone and with a value, sorted by the integer; stable.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/problem.hpp"
#include "pbbs/generate/keys.hpp"

namespace takt::bench::pbbs {

inline constexpr std::uint32_t k_radixsort_limit = std::uint32_t{1} << 31;

constexpr problem_info radixsort_info(std::string_view name, std::string_view about) {
  return {.name = name,
          .about = about,
          .form = kind::forks,
          .size_unit = "keys",
          .size_default = 20'000'000,
          .size_min = 1,
          .size_max = 1'000'000'000,
          .group = "pbbs",
          .counts_tasks = true};
}

struct key_value {
  std::uint32_t key;
  std::uint32_t value;
  friend bool operator==(const key_value&, const key_value&) = default;
};

template <class T>
struct radixsort_problem {
  using element = T;
  using input = std::vector<T>;
  using answer = std::vector<T>;

  static void reset(const input& in, answer& out) { out = in; }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

struct radixsort_random : radixsort_problem<std::uint32_t> {
  static constexpr problem_info info =
      radixsort_info("radixsort_random", "sort of uniform 31-bit integers");
  static input make(const request& wanted) {
    return uniform_integers(static_cast<std::size_t>(size_of(wanted, info)), k_radixsort_limit);
  }
};

struct radixsort_exponential : radixsort_problem<std::uint32_t> {
  static constexpr problem_info info =
      radixsort_info("radixsort_exponential", "sort of exponential 31-bit integers");
  static input make(const request& wanted) {
    return exponential_integers(static_cast<std::size_t>(size_of(wanted, info)),
                                k_radixsort_limit);
  }
};

// The value tells where an element came from: an unstable sort is found out.
struct radixsort_pairs : radixsort_problem<key_value> {
  static constexpr problem_info info =
      radixsort_info("radixsort_pairs", "sort of pairs by uniform 31-bit integers");
  static input make(const request& wanted) {
    const auto keys =
        uniform_integers(static_cast<std::size_t>(size_of(wanted, info)), k_radixsort_limit);
    input in(keys.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = {keys[i], static_cast<std::uint32_t>(i)};
    }
    return in;
  }
};

struct key_of {
  std::uint32_t operator()(std::uint32_t x) const { return x; }
  std::uint32_t operator()(const key_value& x) const { return x.key; }
};

}  // namespace takt::bench::pbbs
