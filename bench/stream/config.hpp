// stream: many small children that one producer adds to a group: serial code, or a child of the group itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/problem.hpp"

namespace takt::bench {

struct stream_problem {
  static constexpr problem_info info_of(std::string_view name, std::string_view about) {
    return {.name = name,
            .about = about,
            .form = kind::forks,
            .size_unit = "children",
            .size_default = 200'000,
            .size_min = 1,
            .size_max = 100'000'000};
  }
  struct input {
    std::size_t count;
  };
  using answer = std::vector<std::uint64_t>;

  // About half a microsecond.
  static std::uint64_t work(std::uint64_t x) {
    for (int step = 0; step < 400; ++step) {
      x = x * 6364136223846793005U + 1442695040888963407U;
    }
    return x;
  }

  static void reset(const input& in, answer& out) { out.assign(in.count, 0); }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

struct stream_outside_problem : stream_problem {
  static constexpr problem_info info =
      info_of("stream_outside", "small children that serial code adds to a group");
  static input make(const request& wanted) {
    return {static_cast<std::size_t>(size_of(wanted, info))};
  }
};

struct stream_child_problem : stream_problem {
  static constexpr problem_info info =
      info_of("stream_child", "small children that a child adds to its group");
  static input make(const request& wanted) {
    return {static_cast<std::size_t>(size_of(wanted, info))};
  }
};

}  // namespace takt::bench
