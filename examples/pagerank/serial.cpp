// Plain serial C++: the baseline, and what the other files do in parallel.
#include <cmath>
#include <utility>

#include "systems.hpp"

namespace pagerank {

double run_serial(const graph& g, int iterations, unsigned /*workers*/, state& s) {
  // Plain pointers here and in the other files: what is measured is how loops are run, and not
  // which compiler sees through which container.
  const std::int32_t nodes = g.nodes();
  const std::int64_t* const row_begin = g.row_begin.data();
  const std::int32_t* const source = g.source.data();
  const double* const inverse_out_degree = g.inverse_out_degree.data();
  double residual = 0.0;

  for (int step = 0; step < iterations; ++step) {
    // Anew in every step: rank and next change places at the end of each.
    double* const rank = s.rank.data();
    double* const share = s.share.data();
    double* const next = s.next.data();

    double dangling = 0.0;
    for (std::int32_t v = 0; v < nodes; ++v) {
      dangling += inverse_out_degree[v] == 0.0 ? rank[v] : 0.0;
    }

    // Once for each node and not once for each edge: a division less in the inner loop.
    for (std::int32_t v = 0; v < nodes; ++v) {
      share[v] = rank[v] * inverse_out_degree[v];
    }

    const double base = base_rank(g, dangling);
    for (std::int32_t v = 0; v < nodes; ++v) {
      double received = 0.0;
      for (std::int64_t k = row_begin[v]; k < row_begin[v + 1]; ++k) {
        received += share[source[k]];
      }
      next[v] = base + k_damping * received;
    }

    // Only the last one is asked for, but computing it in each step is what a program does
    // that stops when the ranks no longer change.
    residual = 0.0;
    for (std::int32_t v = 0; v < nodes; ++v) {
      residual += std::abs(next[v] - rank[v]);
    }
    std::swap(s.rank, s.next);
  }
  return residual;
}

}  // namespace pagerank
