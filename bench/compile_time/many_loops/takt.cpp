#include <takt/parallel_for.hpp>
#include <takt/parallel_reduce.hpp>

#include "data.hpp"

namespace {

template <int K>
void loops(const matrix& m, const double* in, double* out) {
  takt::parallel_for(std::size_t{0}, m.rows, [=](std::size_t i) { out[i] += K * in[i]; });
  takt::parallel_for(std::size_t{0}, m.rows, [=, &m](std::size_t r) {
    out[r] = takt::parallel_reduce(
        std::size_t{0}, m.columns, 0.0,
        [&m, in, r](std::size_t c) { return m.at(r, c) * in[c] + K; }, std::plus<>{});
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
