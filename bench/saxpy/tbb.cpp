#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "saxpy/config.hpp"

namespace takt::bench {
namespace {

void saxpy(const saxpy_problem::input& in, std::vector<float>& out) {
  const float a = in.a;
  const float* x = in.x.data();
  float* y = out.data();
  const auto n = static_cast<std::int64_t>(in.x.size());
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, n),
                    [=](const tbb::blocked_range<std::int64_t>& part) {
                      const std::int64_t end = part.end();
                      for (std::int64_t i = part.begin(); i < end; ++i) {
                        y[i] += a * x[i];
                      }
                    });
}

const enrol<saxpy_problem> loop("tbb", saxpy);

}  // namespace
}  // namespace takt::bench
