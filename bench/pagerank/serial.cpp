#include "pagerank/config.hpp"

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
    double dangling = 0.0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      given[i] = rank[i] * share[i];
      dangling += share[i] == 0.0 ? rank[i] : 0.0;
    }
    const double base = problem::base_rank(dangling, a.rows);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      double sum = 0.0;
      for (std::int64_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
        sum += given[a.col[k]];
      }
      next[i] = base + problem::k_damping * sum;
    }
    std::swap(out.rank, out.next);
  }
}

const enrol<problem> serial("serial", rank_pages);

}  // namespace
}  // namespace takt::bench
