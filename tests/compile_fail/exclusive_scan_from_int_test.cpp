// A sum of integers, where the terms are something else: each step would cut what it adds.
// expect: takt: the sum has the type of the value that it starts from
#include <takt/algorithms.hpp>

#include <functional>
#include <vector>

void misuse(const std::vector<double>& v, std::vector<double>& out) {
  takt::exclusive_scan(v, out.begin(), 0);
}
