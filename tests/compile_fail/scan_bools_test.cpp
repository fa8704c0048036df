// Sums of bools, where a bool is 0 or 1 for ever.
// expect: takt::inclusive_scan: sums of bools would be bools
#include <takt/algorithms.hpp>

#include <vector>

void misuse(const std::vector<bool>& flags, std::vector<long>& places) { takt::inclusive_scan(flags, places.begin()); }
