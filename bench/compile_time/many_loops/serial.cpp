#include "data.hpp"

namespace {

template <int K>
void loops(const matrix& m, const double* in, double* out) {
  for (std::size_t i = 0; i < m.rows; ++i) out[i] += K * in[i];
  for (std::size_t r = 0; r < m.rows; ++r) {
    double sum = 0;
    for (std::size_t c = 0; c < m.columns; ++c) sum += m.at(r, c) * in[c] + K;
    out[r] = sum;
  }
}

template <int... K>
void all_loops(const matrix& m, const double* in, double* out, std::integer_sequence<int, K...>) {
  (loops<K>(m, in, out), ...);
}

}  // namespace

void many_loops(const matrix& m, const double* in, double* out) {
  all_loops(m, in, out, std::make_integer_sequence<int, k_loops>{});
}
