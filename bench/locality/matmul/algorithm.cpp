#include "matmul/config.hpp"

#include "locality/parallel.hpp"

namespace takt::bench {
namespace {

constexpr std::size_t k_tile = matmul_problem::k_tile;

struct matrices {
  const float* a;
  const float* b;
  float* c;
};

void touch_tile(const float* m, std::size_t stride) {
  for (std::size_t i = 0; i < k_tile; ++i) {
    par::touch(m + i * stride, k_tile * sizeof *m);
  }
}

void multiply_tiles(const matrices& m, std::size_t stride) {
  touch_tile(m.a, stride);
  touch_tile(m.b, stride);
  touch_tile(m.c, stride);
  for (std::size_t i = 0; i < k_tile; ++i) {
    float sum[k_tile];
    for (std::size_t j = 0; j < k_tile; ++j) {
      sum[j] = m.c[i * stride + j];
    }
    for (std::size_t k = 0; k < k_tile; ++k) {
      const float a = m.a[i * stride + k];
      const float* b = m.b + k * stride;
      for (std::size_t j = 0; j < k_tile; ++j) {
        sum[j] += a * b[j];
      }
    }
    for (std::size_t j = 0; j < k_tile; ++j) {
      m.c[i * stride + j] = sum[j];
    }
  }
}

// c += a b, of so many rows.
void multiply(const matrices& m, std::size_t rows, std::size_t stride) {
  if (rows == k_tile) {
    multiply_tiles(m, stride);
    return;
  }
  const std::size_t half = rows / 2;
  const std::size_t down = half * stride;
  const std::size_t bytes = 3 * rows * rows * sizeof(float);
  const auto quarter = [=](std::size_t row, std::size_t column, std::size_t inner) {
    multiply({m.a + row * down + inner * half, m.b + inner * down + column * half, m.c + row * down + column * half},
             half, stride);
  };
  for (const std::size_t inner : {0, 1}) {
    const auto row = [=](std::size_t r) {
      par::fork(1, 1, bytes / 2, [=] { quarter(r, 0, inner); }, [=] { quarter(r, 1, inner); });
    };
    par::fork(1, 1, bytes, [=] { row(0); }, [=] { row(1); });
  }
}

const enrol<matmul_problem> program(par::k_system, [](const matmul_problem::input& in, std::vector<float>& out) {
  par::root([&] { multiply({in.a.data(), in.b.data(), out.data()}, in.rows, in.stride()); });
});

}  // namespace
}  // namespace takt::bench
