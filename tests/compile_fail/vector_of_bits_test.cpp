// As loop_over_bits, for a vector that an algorithm makes.
// expect: elements of std::vector<bool> cannot be written in parallel
#include <takt/algorithms.hpp>

#include <vector>

auto misuse(const std::vector<bool>& in) {
  return takt::filter(in, [](bool x) { return x; });
}
