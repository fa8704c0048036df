// Connected components of a graph without directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hbc/cc/program.h"
#include "hbc/inputs.hpp"

namespace takt::bench {

struct hbc_cc_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_cc", "connected components", "vertices", 3'000'000, 100'000'000);
  struct input {
    csr links;
  };
  struct answer {
    std::vector<std::int32_t> label;
    std::vector<std::int32_t> next;
  };

  static input make(const request& wanted) {
    return {both_directions(hbc_links_in(wanted, info))};
  }
  static void reset(const input& in, answer& out) {
    const auto n = static_cast<std::size_t>(in.links.rows);
    out.label.assign(n, -1);
    out.next.assign(n, -1);
  }
  static hbc_cc arguments(const input& in, answer& out) {
    return {graph_view_of(in.links), out.label.data(), out.next.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.label == expected.label;
  }
};

}  // namespace takt::bench
