#include TAKT_PBBS_PARALLEL

#include "harness/touching.hpp"
#include "pbbs/parallel/union_find.hpp"
#include "pbbs/spanningforest/config.hpp"

namespace takt::bench::pbbs {
namespace {

// All edges at once: each joins the sets of its ends if it is the first to get at the one with
// the larger number, and tries again if it is not. A set is put below a smaller number only, so
// there are no cycles. Which edges are chosen depends on the schedule; how many does not.
void spanning_forest(const graph& in, array<std::uint32_t>& out) {
  constexpr std::uint32_t k_none = 0xFFFFFFFFU;
  const std::size_t n = in.vertices;
  array<std::uint32_t> parent(n);
  array<std::uint32_t> joined_by(n);
  parallel::loop(0, n, [p = parent.data(), by = joined_by.data()](std::size_t v) {
    touched(p[v]) = static_cast<std::uint32_t>(v);
    touched(by[v]) = k_none;
  });
  const union_find sets(parent.data());
  parallel::loop(0, in.edges.size(), [sets, edges = in.edges.data(),
                                      by = joined_by.data()](std::size_t i) {
    std::uint32_t u = touched(edges[i]).u;
    std::uint32_t v = edges[i].v;
    for (;;) {
      u = sets.find(u);
      v = sets.find(v);
      if (u == v) {
        return;
      }
      if (u < v) {
        std::swap(u, v);
      }
      if (sets.try_link(u, v)) {
        touched(by[u]) = static_cast<std::uint32_t>(i);
        return;
      }
    }
  });
  array<std::uint32_t> chosen(n);
  chosen.shrink(parallel::filter(joined_by.data(), n, chosen.data(),
                                 [](std::uint32_t i) { return i != k_none; }));
  out = std::move(chosen);
}

const enrol_parallel<parallel, spanningforest_cube, spanning_forest> cube;
const enrol_parallel<parallel, spanningforest_rmat, spanning_forest> rmat_graph;

}  // namespace
}  // namespace takt::bench::pbbs
