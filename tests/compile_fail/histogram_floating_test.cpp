// expect: histogram needs integer keys
#include <takt/algorithms.hpp>

#include <vector>

auto misuse(const std::vector<double>& v) { return takt::histogram(v, 10); }
