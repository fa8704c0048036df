// Breadth-first search from the vertex with the most links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hbc/bfs/program.h"
#include "hbc/inputs.hpp"

namespace takt::bench {

struct hbc_bfs_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_bfs", "breadth-first search", "vertices", 4'000'000, 100'000'000);
  struct input {
    csr links_in;
    std::int32_t root;
  };
  struct answer {
    std::vector<std::int32_t> parent;
    std::vector<unsigned char> frontier;
    std::vector<unsigned char> next;
  };

  static input make(const request& wanted) {
    input in{hbc_links_in(wanted, info), 0};
    in.root = busiest_vertex(in.links_in);
    return in;
  }
  static void reset(const input& in, answer& out) {
    const auto n = static_cast<std::size_t>(in.links_in.rows);
    out.parent.assign(n, -2);
    out.frontier.assign(n, 2);
    out.next.assign(n, 2);
  }
  static hbc_bfs arguments(const input& in, answer& out) {
    return {graph_view_of(in.links_in), in.root, out.parent.data(), out.frontier.data(),
            out.next.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.parent == expected.parent;
  }
};

}  // namespace takt::bench
