// Twenty kinds of two loops: one alone, and one with a sum in each iteration.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

inline constexpr int k_loops = 20;

struct matrix {
  double at(std::size_t r, std::size_t c) const { return values[r * columns + c]; }
  const double* values;
  std::size_t rows;
  std::size_t columns;
};

void many_loops(const matrix& m, const double* in, double* out);
