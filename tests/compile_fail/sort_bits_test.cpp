// As loop_over_bits, for elements that change places.
// expect: satisfaction of [^ ]*writable_sequence<
// expect: (satisfy '[a-z:]*writable_sequence'|writable_sequence<.*evaluated to false)
#include <takt/algorithms.hpp>

#include <vector>

void misuse(std::vector<bool>& flags) { takt::sort(flags); }
