// A body is given the index, not the loop's variable.
// expect: satisfaction of [^ ]*invocable<
// expect: (satisfy '[a-z:]*invocable'|invocable<.*evaluated to false)
#include <takt/parallel_for.hpp>

void misuse() {
  takt::parallel_for(0, 10, [](int& i) { i += 2; });
}
