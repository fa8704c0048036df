// Shortest paths from the vertex with the most links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/random.hpp"
#include "hbc/inputs.hpp"
#include "hbc/sssp/program.h"

namespace takt::bench {

struct hbc_sssp_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_sssp",
                    "shortest paths from one vertex", "vertices", 1'000'000, 100'000'000);
  struct input {
    csr links_in;
    std::vector<std::int32_t> length;
    std::int32_t root;
  };
  struct answer {
    std::vector<std::int32_t> distance;
    std::vector<std::int32_t> next;
    std::vector<unsigned char> changed;
    std::vector<unsigned char> changes;
  };

  static input make(const request& wanted) {
    input in{hbc_links_in(wanted, info), {}, 0};
    in.root = busiest_vertex(in.links_in);
    random_source random(16);
    in.length.resize(in.links_in.col.size());
    for (std::int32_t& length : in.length) {
      length = static_cast<std::int32_t>(1 + random.below(20));
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    const auto n = static_cast<std::size_t>(in.links_in.rows);
    out.distance.assign(n, -1);
    out.next.assign(n, -1);
    out.changed.assign(n, 2);
    out.changes.assign(n, 2);
  }
  static hbc_sssp arguments(const input& in, answer& out) {
    return {graph_view_of(in.links_in), in.length.data(),   in.root,
            out.distance.data(),        out.next.data(),    out.changed.data(),
            out.changes.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.distance == expected.distance;
  }
};

}  // namespace takt::bench
