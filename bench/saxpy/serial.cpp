#include "saxpy/config.hpp"

namespace takt::bench {
namespace {

void saxpy(const saxpy_problem::input& in, std::vector<float>& out) {
  const float a = in.a;
  const float* x = in.x.data();
  float* y = out.data();
  const auto n = static_cast<std::int64_t>(in.x.size());
  for (std::int64_t i = 0; i < n; ++i) {
    y[i] += a * x[i];
  }
}

const enrol<saxpy_problem> serial("serial", saxpy);

}  // namespace
}  // namespace takt::bench
