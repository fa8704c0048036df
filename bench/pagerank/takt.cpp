#include "pagerank/config.hpp"

#include <functional>

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

using problem = pagerank_problem;

void rank_pages(const problem::input& in, problem::answer& out) {
  const csr_view a(in.links_in);
  const double* share = in.share.data();
  double* given = out.given.data();
  for (int round = 0; round < problem::k_rounds; ++round) {
    const double* rank = out.rank.data();
    double* next = out.next.data();
    const double dangling = takt::parallel_reduce(
        std::int64_t{0}, a.rows, 0.0,
        [=](std::int64_t i) {
          given[i] = rank[i] * share[i];
          return share[i] == 0.0 ? rank[i] : 0.0;
        },
        std::plus<>{});
    const double base = problem::base_rank(dangling, a.rows);
    takt::parallel_for(std::int64_t{0}, a.rows, [=](std::int64_t i) {
      const double sum = takt::parallel_reduce(
          a.row_begin[i], a.row_begin[i + 1], 0.0,
          [=](std::int64_t k) {
            takt::touch(&a.col[k], sizeof a.col[k]);
            takt::touch(&given[a.col[k]], sizeof *given);
            return given[a.col[k]];
          },
          std::plus<>{});
      next[i] = base + problem::k_damping * sum;
    });
    std::swap(out.rank, out.next);
  }
}

const enrol<problem> loops("takt", rank_pages);

}  // namespace
}  // namespace takt::bench
