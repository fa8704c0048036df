// What goes into the ten algorithms, and what comes out.
#pragma once

#include <cstddef>
#include <vector>

using numbers = std::vector<double>;

struct point {
  double x;
  double y;
};
using points = std::vector<point>;

struct answers {
  double sum = 0;
  double norm = 0;
  double square = 0;
  double last = 0;
  std::ptrdiff_t at = 0;
  std::ptrdiff_t small = 0;
  std::ptrdiff_t largest = 0;
  numbers chosen;
  points sorted;
};

answers ten_algorithms(const numbers& in, const points& places);
