// A comparison in the place of a number.
// expect: (satisfaction of|does not satisfy|satisfy).*number
#include <takt/task_group.hpp>

void misuse(int n) {
  takt::task_group group(takt::work(n > 10));
}
