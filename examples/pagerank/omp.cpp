// OpenMP: the rows alone, as one writes it by experience, and both levels, as one would like to.
#include <omp.h>

#include <cmath>
#include <utility>

#include "systems.hpp"

namespace pagerank {
namespace {

// Shared by the forms that run a row serially.
double received_by(std::int32_t v, const std::int64_t* row_begin, const std::int32_t* source, const double* share) {
  double received = 0.0;
  for (std::int64_t k = row_begin[v]; k < row_begin[v + 1]; ++k) {
    received += share[source[k]];
  }
  return received;
}

// A third of the forms' text is the same, and on purpose: a schedule is part of a pragma, and
// schedule(runtime) would put a call around every chunk, the static ones too.
void rows_static(const graph& g, double base, const double* share, double* next) {
  const std::int32_t nodes = g.nodes();
  const std::int64_t* const row_begin = g.row_begin.data();
  const std::int32_t* const source = g.source.data();
#pragma omp parallel for schedule(static)
  for (std::int32_t v = 0; v < nodes; ++v) {
    next[v] = base + k_damping * received_by(v, row_begin, source, share);
  }
}

void rows_dynamic(const graph& g, double base, const double* share, double* next) {
  const std::int32_t nodes = g.nodes();
  const std::int64_t* const row_begin = g.row_begin.data();
  const std::int32_t* const source = g.source.data();
#pragma omp parallel for schedule(dynamic)
  for (std::int32_t v = 0; v < nodes; ++v) {
    next[v] = base + k_damping * received_by(v, row_begin, source, share);
  }
}

// The program that corresponds to takt's: every loop is marked, and nothing else is said.
void rows_and_entries(const graph& g, double base, const double* share, double* next) {
  const std::int32_t nodes = g.nodes();
  const std::int64_t* const row_begin = g.row_begin.data();
  const std::int32_t* const source = g.source.data();
#pragma omp parallel for schedule(dynamic)
  for (std::int32_t v = 0; v < nodes; ++v) {
    double received = 0.0;
#pragma omp parallel for reduction(+ : received)
    for (std::int64_t k = row_begin[v]; k < row_begin[v + 1]; ++k) {
      received += share[source[k]];
    }
    next[v] = base + k_damping * received;
  }
}

using rows_loop = void (*)(const graph& g, double base, const double* share, double* next);

double run(const graph& g, int iterations, unsigned workers, state& s, rows_loop rows) {
  omp_set_num_threads(static_cast<int>(workers));
  const std::int32_t nodes = g.nodes();
  const double* const inverse_out_degree = g.inverse_out_degree.data();
  double residual = 0.0;

  for (int step = 0; step < iterations; ++step) {
    double* const rank = s.rank.data();
    double* const share = s.share.data();
    double* const next = s.next.data();

    // All iterations of these loops cost the same, for which the default schedule is the best.
    double dangling = 0.0;
#pragma omp parallel for reduction(+ : dangling)
    for (std::int32_t v = 0; v < nodes; ++v) {
      dangling += inverse_out_degree[v] == 0.0 ? rank[v] : 0.0;
    }

#pragma omp parallel for
    for (std::int32_t v = 0; v < nodes; ++v) {
      share[v] = rank[v] * inverse_out_degree[v];
    }

    rows(g, base_rank(g, dangling), share, next);

    residual = 0.0;
#pragma omp parallel for reduction(+ : residual)
    for (std::int32_t v = 0; v < nodes; ++v) {
      residual += std::abs(next[v] - rank[v]);
    }
    std::swap(s.rank, s.next);
  }
  return residual;
}

}  // namespace

double run_omp_rows_static(const graph& g, int iterations, unsigned workers, state& s) {
  return run(g, iterations, workers, s, rows_static);
}

double run_omp_rows_dynamic(const graph& g, int iterations, unsigned workers, state& s) {
  return run(g, iterations, workers, s, rows_dynamic);
}

// What two annotated levels mean by default: the inner regions have one thread each, so a long row
// stays serial, and yet each of them is set up.
double run_omp_both_one_active(const graph& g, int iterations, unsigned workers, state& s) {
  omp_set_max_active_levels(1);
  return run(g, iterations, workers, s, rows_and_entries);
}

double run_omp_both_active(const graph& g, int iterations, unsigned workers, state& s) {
  omp_set_max_active_levels(2);
  return run(g, iterations, workers, s, rows_and_entries);
}

}  // namespace pagerank
