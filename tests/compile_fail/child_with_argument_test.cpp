// Children are called without arguments.
// expect: satisfaction of [^ ]*child<
// expect: (satisfy '[a-z:]*child'|child<.*evaluated to false)
#include <takt/task_group.hpp>

void misuse(takt::task_group& group) {
  group.run([](int) {});
}
