#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include "spmv/config.hpp"

namespace takt::bench {
namespace {

template <class Partitioner>
void multiply(const spmv_problem::input& in, std::vector<double>& out, Partitioner&& partitioner) {
  const csr_view a(in.matrix);
  const double* x = in.x.data();
  double* y = out.data();
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, a.rows),
      [=](const tbb::blocked_range<std::int64_t>& rows) {
        for (std::int64_t r = rows.begin(); r != rows.end(); ++r) {
          double sum = 0.0;
          for (std::int64_t k = a.row_begin[r]; k < a.row_begin[r + 1]; ++k) {
            sum += a.value[k] * x[a.col[k]];
          }
          y[r] = sum;
        }
      },
      partitioner);
}

const enrol<spmv_problem> outermost("tbb",
                                    [](const auto& in, auto& out) { multiply(in, out, tbb::auto_partitioner()); });

// What gives a call the parts of the one before: one object for all calls.
tbb::affinity_partitioner the_same;
const enrol<spmv_problem> same_parts("tbb-affinity", [](const auto& in, auto& out) { multiply(in, out, the_same); });

}  // namespace
}  // namespace takt::bench
