#include <parlay/delayed.h>
#include <parlay/parallel.h>
#include <parlay/primitives.h>

#include "data.hpp"

namespace {

template <int K>
void loops(const matrix& m, const double* in, double* out) {
  parlay::parallel_for(0, m.rows, [=](std::size_t i) { out[i] += K * in[i]; });
  parlay::parallel_for(0, m.rows, [=, &m](std::size_t r) {
    out[r] = parlay::reduce(
        parlay::delayed_tabulate(m.columns, [&m, in, r](std::size_t c) { return m.at(r, c) * in[c] + K; }));
  });
}

template <int... K>
void all_loops(const matrix& m, const double* in, double* out, std::integer_sequence<int, K...>) {
  (loops<K>(m, in, out), ...);
}

}  // namespace

void many_loops(const matrix& m, const double* in, double* out) {
  all_loops(m, in, out, std::make_integer_sequence<int, k_loops>{});
}
