// As loop_over_bits, for the output of an algorithm.
// expect: satisfaction of [^ ]*separate_elements<
// expect: (satisfy '[a-z:]*separate_elements'|separate_elements<.*evaluated to false)
#include <takt/algorithms.hpp>

#include <vector>

void misuse(const std::vector<int>& in, std::vector<bool>& out) {
  takt::transform(in, out.begin(), [](int x) { return x > 0; });
}
