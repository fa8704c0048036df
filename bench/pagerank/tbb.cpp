#include <functional>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include "pagerank/config.hpp"

namespace takt::bench {
namespace {

using problem = pagerank_problem;
using rows = tbb::blocked_range<std::int64_t>;

void rank_pages(const problem::input& in, problem::answer& out) {
  const csr_view a(in.links_in);
  const double* share = in.share.data();
  double* given = out.given.data();
  for (int round = 0; round < problem::k_rounds; ++round) {
    const double* rank = out.rank.data();
    double* next = out.next.data();
    const double dangling = tbb::parallel_reduce(
        rows(0, a.rows), 0.0,
        [=](const rows& part, double sum) {
          for (std::int64_t i = part.begin(); i != part.end(); ++i) {
            given[i] = rank[i] * share[i];
            sum += share[i] == 0.0 ? rank[i] : 0.0;
          }
          return sum;
        },
        std::plus<>{});
    const double base = problem::base_rank(dangling, a.rows);
    tbb::parallel_for(rows(0, a.rows), [=](const rows& part) {
      for (std::int64_t i = part.begin(); i != part.end(); ++i) {
        double sum = 0.0;
        for (std::int64_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
          sum += given[a.col[k]];
        }
        next[i] = base + problem::k_damping * sum;
      }
    });
    std::swap(out.rank, out.next);
  }
}

const enrol<problem> outermost("tbb", rank_pages);

}  // namespace
}  // namespace takt::bench
