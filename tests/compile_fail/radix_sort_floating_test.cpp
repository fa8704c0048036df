// expect: radix_sort needs integer keys
#include <takt/algorithms.hpp>

#include <vector>

void misuse(std::vector<double>& v) { takt::radix_sort(v); }
