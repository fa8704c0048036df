// oneTBB: both levels, default partitioner, default grain.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <cmath>
#include <functional>
#include <utility>

#include "systems.hpp"

namespace pagerank {
namespace {

// oneTBB's reduction hands out ranges, so that the loop in each is the user's to write.
// The sum of term(i) over [first, last).
template <class Index, class Term>
double sum(Index first, Index last, const Term& term) {
  return tbb::parallel_reduce(
      tbb::blocked_range<Index>(first, last), 0.0,
      [&](const tbb::blocked_range<Index>& part, double so_far) {
        for (Index i = part.begin(); i < part.end(); ++i) {
          so_far += term(i);
        }
        return so_far;
      },
      std::plus<>{});
}

}  // namespace

double run_tbb(const graph& g, int iterations, unsigned workers, state& s) {
  // As many threads as the others have, whatever oneTBB itself makes of quotas and affinity.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, workers);
  const std::int32_t nodes = g.nodes();
  const std::int64_t* const row_begin = g.row_begin.data();
  const std::int32_t* const source = g.source.data();
  const double* const inverse_out_degree = g.inverse_out_degree.data();
  double residual = 0.0;

  for (int step = 0; step < iterations; ++step) {
    double* const rank = s.rank.data();
    double* const share = s.share.data();
    double* const next = s.next.data();

    const double dangling =
        sum(std::int32_t{0}, nodes, [=](std::int32_t v) { return inverse_out_degree[v] == 0.0 ? rank[v] : 0.0; });

    tbb::parallel_for(std::int32_t{0}, nodes, [=](std::int32_t v) { share[v] = rank[v] * inverse_out_degree[v]; });

    const double base = base_rank(g, dangling);
    tbb::parallel_for(std::int32_t{0}, nodes, [=](std::int32_t v) {
      const double received = sum(row_begin[v], row_begin[v + 1], [=](std::int64_t k) { return share[source[k]]; });
      next[v] = base + k_damping * received;
    });

    residual = sum(std::int32_t{0}, nodes, [=](std::int32_t v) { return std::abs(next[v] - rank[v]); });
    std::swap(s.rank, s.next);
  }
  return residual;
}

}  // namespace pagerank
