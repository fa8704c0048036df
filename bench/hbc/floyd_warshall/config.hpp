// Two of three loops are parallel: all pairs, for one vertex in between after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "harness/problem.hpp"
#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/floyd_warshall/program.h"

namespace takt::bench {

struct hbc_floyd_warshall_problem {
  static constexpr problem_info info =
      hbc_info("hbc_floyd_warshall",
               "shortest distances between all pairs", "vertices", 2000, 20'000);
  struct input {
    std::int64_t vertices;
    std::vector<std::int32_t> distance;
  };
  using answer = std::vector<std::int32_t>;

  // About eight links from each vertex.
  static input make(const request& wanted) {
    input in{size_of(wanted, info), {}};
    const auto n = static_cast<std::size_t>(in.vertices);
    in.distance.assign(n * n, std::numeric_limits<std::int32_t>::max() / 2);
    random_source random(9);
    for (std::size_t from = 0; from < n; ++from) {
      for (int link = 0; link < 8; ++link) {
        const std::size_t to = random.below(static_cast<std::uint32_t>(n));
        in.distance[from * n + to] = static_cast<std::int32_t>(1 + random.below(1000));
      }
      in.distance[from * n + from] = 0;
    }
    return in;
  }
  static void reset(const input& in, answer& out) { out = in.distance; }
  static hbc_floyd_warshall arguments(const input& in, answer& out) {
    return {in.vertices, out.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got == expected;
  }
};

}  // namespace takt::bench
