#include "systems.hpp"

#include <array>

namespace pagerank {
namespace {

#ifdef TAKT_EXAMPLE_OMP
#define TAKT_EXAMPLE_IF_OMP(function) function
#else
#define TAKT_EXAMPLE_IF_OMP(function) nullptr
#endif

#ifdef TAKT_EXAMPLE_TBB
#define TAKT_EXAMPLE_IF_TBB(function) function
#else
#define TAKT_EXAMPLE_IF_TBB(function) nullptr
#endif

// A system that was left out keeps its row, so that the table shows what it does not compare with.
constexpr std::array<system, 7> k_systems{{
    {"serial C++", role::baseline, false, run_serial},
    {"OpenMP, rows only, static", role::peer, false, TAKT_EXAMPLE_IF_OMP(run_omp_rows_static)},
    {"OpenMP, rows only, dynamic", role::peer, false, TAKT_EXAMPLE_IF_OMP(run_omp_rows_dynamic)},
    {"OpenMP, both levels, one active", role::risky_peer, true, TAKT_EXAMPLE_IF_OMP(run_omp_both_one_active)},
    {"OpenMP, both levels, both active", role::risky_peer, true, TAKT_EXAMPLE_IF_OMP(run_omp_both_active)},
    {"oneTBB, both levels", role::peer, true, TAKT_EXAMPLE_IF_TBB(run_tbb)},
    {"takt, both levels", role::takt, true, run_takt},
}};

}  // namespace

void state::reset(const graph& g) {
  const auto nodes = static_cast<std::size_t>(g.nodes());
  rank.assign(nodes, 1.0 / g.nodes());
  share.assign(nodes, 0.0);
  next.assign(nodes, 0.0);
}

std::span<const system> systems() { return k_systems; }

}  // namespace pagerank
