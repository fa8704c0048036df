// A group keeps its children: a named one is copied.
// expect: satisfaction of [^ ]*child<
// expect: (satisfy '[a-z:]*child'|child<.*evaluated to false)
#include <takt/task_group.hpp>

#include <memory>

void misuse(takt::task_group& group) {
  auto child = [owner = std::make_unique<int>(1)] { return *owner; };
  group.run(child);
}
