// A sum of integers, where the terms are something else: each step would cut what it adds.
// expect: takt: the sum has the type of the value that it starts from
#include <takt/parallel_reduce.hpp>

#include <functional>
#include <vector>

double misuse(int n) {
  return takt::parallel_reduce(0, n, 0, [](int i) { return i / 2.0; }, std::plus<>());
}
