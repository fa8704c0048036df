// There is one of each group.
// expect: use of deleted function .*task_group|call to deleted constructor of .*task_group
#include <takt/task_group.hpp>

void misuse(takt::task_group& group) {
  takt::task_group copy = group;
  copy.wait();
}
