// A loop counts; bool has no next value.
// expect: satisfaction of [^ ]*index<
// expect: (satisfy '[a-z:]*index'|index<.*evaluated to false)
#include <takt/parallel_for.hpp>

void misuse() { takt::parallel_for(false, true, [](bool) {}); }
