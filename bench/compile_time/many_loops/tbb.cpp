#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include "data.hpp"

namespace {

template <int K>
void loops(const matrix& m, const double* in, double* out) {
  using part = tbb::blocked_range<std::size_t>;
  tbb::parallel_for(part(0, m.rows), [=](const part& some) {
    for (std::size_t i = some.begin(); i != some.end(); ++i) out[i] += K * in[i];
  });
  tbb::parallel_for(part(0, m.rows), [=, &m](const part& some) {
    for (std::size_t r = some.begin(); r != some.end(); ++r) {
      out[r] = tbb::parallel_reduce(
          part(0, m.columns), 0.0,
          [&m, in, r](const part& columns, double sum) {
            for (std::size_t c = columns.begin(); c != columns.end(); ++c) sum += m.at(r, c) * in[c] + K;
            return sum;
          },
          std::plus<>{});
    }
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
