#include "saxpy/config.hpp"

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

void saxpy(const saxpy_problem::input& in, std::vector<float>& out) {
  const float a = in.a;
  const float* x = in.x.data();
  float* y = out.data();
  const auto n = static_cast<std::int64_t>(in.x.size());
  takt::parallel_for(std::int64_t{0}, n, [=](std::int64_t i) {
    takt::touch(&x[i], sizeof x[i]);
    takt::touch(&y[i], sizeof y[i]);
    y[i] += a * x[i];
  });
}

const enrol<saxpy_problem> loop("takt", saxpy);

}  // namespace
}  // namespace takt::bench
