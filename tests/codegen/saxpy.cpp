// What the compiler makes of a leaf loop is looked at by check_leaf: see there.
#include <takt/takt.hpp>

#include <cstddef>

void saxpy(float a, const float* x, float* y, std::size_t n) {
  takt::parallel_for(std::size_t{0}, n, [=](std::size_t i) { y[i] += a * x[i]; });
}
