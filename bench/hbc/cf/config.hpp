// Collaborative filtering: an array reduction inside a parallel loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/random.hpp"
#include "hbc/cf/program.h"
#include "hbc/inputs.hpp"

namespace takt::bench {

struct hbc_cf_problem {
  static constexpr problem_info info =
      hbc_file_info("hbc_cf",
                    "collaborative filtering, 20 features", "vertices", 300'000, 100'000'000);
  static constexpr std::int64_t k_rounds = 4;

  struct input {
    csr links;
    std::vector<double> rating;
  };
  struct answer {
    std::vector<double> latent;
    std::vector<double> next;
  };

  static input make(const request& wanted) {
    input in{hbc_links_in(wanted, info), {}};
    random_source random(15);
    in.rating.resize(in.links.col.size());
    for (double& rating : in.rating) {
      rating = 1.0 + random.below(5);
    }
    return in;
  }
  static void reset(const input& in, answer& out) {
    out.latent.assign(static_cast<std::size_t>(in.links.rows * hbc_cf_features), 0.5);
    out.next.assign(out.latent.size(), -1.0);
  }
  // Rates at which the vertex with most links, which is in every sum, does not run away.
  static hbc_cf arguments(const input& in, answer& out) {
    return {graph_view_of(in.links), in.rating.data(), k_rounds, 3.5e-7, 1e-3,
            out.latent.data(),       out.next.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return all_near(got.latent, expected.latent);
  }
};

}  // namespace takt::bench
