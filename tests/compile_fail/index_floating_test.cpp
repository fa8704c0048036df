// Bounds are whole numbers.
// expect: satisfaction of [^ ]*index<
// expect: (satisfy '[a-z:]*index'|index<.*evaluated to false)
#include <takt/parallel_for.hpp>

void misuse() { takt::parallel_for(0.0, 1.0, [](double) {}); }
