// PageRank once for each system, in a file of its own: the loops are the same, all of them are
// marked parallel, and nobody chooses a grain size.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "graph.hpp"

namespace pagerank {

inline constexpr double k_damping = 0.85;

struct state {
  std::vector<double> rank;
  std::vector<double> share;  // what a node gives to each node it names
  std::vector<double> next;

  // Every node begins with the same rank.
  void reset(const graph& g);
};

// The rank that every node has whatever points at it. The dangling nodes' ranks, which nobody
// receives, are spread over all nodes, so that the ranks go on adding up to 1.
inline double base_rank(const graph& g, double dangling) {
  return (1.0 - k_damping + k_damping * dangling) / g.nodes();
}

// Does `iterations` steps from s.rank to s.rank; returns the sum of |change| in the last one.
using solver = double (*)(const graph& g, int iterations, unsigned workers, state& s);

double run_serial(const graph& g, int iterations, unsigned workers, state& s);
double run_omp_rows_static(const graph& g, int iterations, unsigned workers, state& s);
double run_omp_rows_dynamic(const graph& g, int iterations, unsigned workers, state& s);
double run_omp_both_one_active(const graph& g, int iterations, unsigned workers, state& s);
double run_omp_both_active(const graph& g, int iterations, unsigned workers, state& s);
double run_tbb(const graph& g, int iterations, unsigned workers, state& s);
double run_takt(const graph& g, int iterations, unsigned workers, state& s);

enum class role {
  baseline,    // the plain serial program: all answers and times are compared with it
  peer,        // measured beside it
  risky_peer,  // may be slower by orders of magnitude: tried under a time limit first
  takt,
};

struct system {
  std::string_view name;
  role part;
  bool both_levels;  // marks the entries of a row parallel too, not the rows alone
  solver run;        // nullptr: what it needs was missing when this was built
};

// The baseline first.
std::span<const system> systems();

}  // namespace pagerank
