// expect: takt::iota: the elements cannot hold the fraction
#include <takt/algorithms.hpp>

#include <vector>

void misuse(std::vector<int>& v) { takt::iota(v, 0.5); }
