// How much is "much"?
// expect: (satisfaction of|does not satisfy|satisfy).*number
#include <takt/task_group.hpp>

void misuse() {
  takt::task_group group(takt::work("much"));
}
