// takt: every loop is parallel, the rows and the entries of each row alike.
#include <cmath>
#include <functional>
#include <takt/takt.hpp>
#include <utility>

#include "systems.hpp"

namespace pagerank {

double run_takt(const graph& g, int iterations, unsigned /*workers*/, state& s) {
  const std::int32_t nodes = g.nodes();
  const std::int64_t* const row_begin = g.row_begin.data();
  const std::int32_t* const source = g.source.data();
  const double* const inverse_out_degree = g.inverse_out_degree.data();
  double residual = 0.0;

  for (int step = 0; step < iterations; ++step) {
    double* const rank = s.rank.data();
    double* const share = s.share.data();
    double* const next = s.next.data();

    // By value: the bodies hold the pointers themselves and need nothing of this frame.
    const double dangling = takt::parallel_reduce(
        std::int32_t{0}, nodes, 0.0, [=](std::int32_t v) { return inverse_out_degree[v] == 0.0 ? rank[v] : 0.0; },
        std::plus<>{});

    takt::parallel_for(std::int32_t{0}, nodes, [=](std::int32_t v) { share[v] = rank[v] * inverse_out_degree[v]; });

    const double base = base_rank(g, dangling);
    // Nearly all of the time goes here. A row of one entry and a row of twenty thousand are
    // written alike; which of them is worth another worker is for the next beat to say.
    takt::parallel_for(std::int32_t{0}, nodes, [=](std::int32_t v) {
      const double received = takt::parallel_reduce(
          row_begin[v], row_begin[v + 1], 0.0, [=](std::int64_t k) { return share[source[k]]; }, std::plus<>{});
      next[v] = base + k_damping * received;
    });

    residual = takt::parallel_reduce(
        std::int32_t{0}, nodes, 0.0, [=](std::int32_t v) { return std::abs(next[v] - rank[v]); }, std::plus<>{});
    std::swap(s.rank, s.next);
  }
  return residual;
}

}  // namespace pagerank
