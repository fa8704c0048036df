// An enumeration has no next value either.
// expect: satisfaction of [^ ]*index<
// expect: (satisfy '[a-z:]*index'|index<.*evaluated to false)
#include <takt/parallel_for.hpp>

enum class colour { red, green, blue };

void misuse() { takt::parallel_for(colour::red, colour::blue, [](colour) {}); }
