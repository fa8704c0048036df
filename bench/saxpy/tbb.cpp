#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include "saxpy/config.hpp"

namespace takt::bench {
namespace {

template <class Partitioner>
void saxpy(const saxpy_problem::input& in, std::vector<float>& out, Partitioner&& partitioner) {
  const float a = in.a;
  const float* x = in.x.data();
  float* y = out.data();
  const auto n = static_cast<std::int64_t>(in.x.size());
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, n),
      [=](const tbb::blocked_range<std::int64_t>& part) {
        const std::int64_t end = part.end();
        for (std::int64_t i = part.begin(); i < end; ++i) {
          y[i] += a * x[i];
        }
      },
      partitioner);
}

const enrol<saxpy_problem> loop("tbb", [](const auto& in, auto& out) { saxpy(in, out, tbb::auto_partitioner()); });

// What gives a call the parts of the one before: one object for all calls.
tbb::affinity_partitioner the_same;
const enrol<saxpy_problem> same_parts("tbb-affinity", [](const auto& in, auto& out) { saxpy(in, out, the_same); });

}  // namespace
}  // namespace takt::bench
