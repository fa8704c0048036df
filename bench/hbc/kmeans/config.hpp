// The sums of the points of each cluster are an array reduction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/compare.hpp"
#include "harness/problem.hpp"
#include "harness/random.hpp"
#include "hbc/kmeans/program.h"

namespace takt::bench {

struct hbc_kmeans_problem {
  static constexpr problem_info info{.name = "hbc_kmeans",
                                     .about = "Lloyd's algorithm, 5 clusters, 34 features",
                                     .form = kind::loops,
                                     .size_unit = "points",
                                     .size_default = 1'200'000,
                                     .size_min = hbc_kmeans_clusters,
                                     .size_max = 100'000'000,
                                     .group = "hbc"};
  struct input {
    std::vector<double> point;
    std::int64_t points;
  };
  struct answer {
    std::vector<double> center;
    std::vector<std::int32_t> cluster;
  };

  static input make(const request& wanted) {
    input in{{}, size_of(wanted, info)};
    in.point.resize(static_cast<std::size_t>(in.points * hbc_kmeans_features));
    random_source random(10);
    for (double& x : in.point) {
      x = random.unit();
    }
    return in;
  }
  // The first points are the first centres.
  static void reset(const input& in, answer& out) {
    constexpr std::ptrdiff_t k_numbers = hbc_kmeans_clusters * hbc_kmeans_features;
    out.center.assign(in.point.begin(), in.point.begin() + k_numbers);
    out.cluster.assign(static_cast<std::size_t>(in.points), -1);
  }
  static hbc_kmeans arguments(const input& in, answer& out) {
    return {in.points, 10, in.point.data(), out.center.data(), out.cluster.data()};
  }
  static bool same(const input& /*in*/, const answer& got, const answer& expected) {
    return got.cluster == expected.cluster && all_near(got.center, expected.center);
  }
};

}  // namespace takt::bench
