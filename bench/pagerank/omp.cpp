#include "harness/omp_support.hpp"
#include "pagerank/config.hpp"

namespace takt::bench {
namespace {

using problem = pagerank_problem;

const enrol_omp_loops<problem> loops(
    []<schedule S>(const problem::input& in, problem::answer& out) {
      const csr_view a(in.links_in);
      const double* share = in.share.data();
      double* given = out.given.data();
      for (int round = 0; round < problem::k_rounds; ++round) {
        const double* rank = out.rank.data();
        double* next = out.next.data();
        const double dangling = omp_outer_sum<S>(a.rows, [=](std::int64_t i) {
          given[i] = rank[i] * share[i];
          return share[i] == 0.0 ? rank[i] : 0.0;
        });
        const double base = problem::base_rank(dangling, a.rows);
        omp_outer_loop<S>(a.rows, [=](std::int64_t i) {
          const double sum = omp_inner_sum<S>(a.row_begin[i], a.row_begin[i + 1],
                                              [=](std::int64_t k) { return given[a.col[k]]; });
          next[i] = base + problem::k_damping * sum;
        });
        std::swap(out.rank, out.next);
      }
    });

}  // namespace
}  // namespace takt::bench
