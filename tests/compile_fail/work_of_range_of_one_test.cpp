// The work of a range has two ends.
// expect: (satisfaction of|does not satisfy|satisfy).*range_work
#include <takt/parallel_for.hpp>

void misuse() {
  takt::parallel_for(0, 10, [](int) {}, takt::hints{.work = takt::work_of([](long i) { return i; })});
}
