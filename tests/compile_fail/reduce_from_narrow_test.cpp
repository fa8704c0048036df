// A sum of integers, where the terms are something else: each step would cut what it adds.
// expect: takt: the sum has the type of the value that it starts from
#include <takt/algorithms.hpp>

#include <functional>
#include <vector>

long long misuse(const std::vector<long long>& v) {
  return takt::reduce(v, 0);
}
