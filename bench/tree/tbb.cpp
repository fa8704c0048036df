#include <tbb/task_group.h>

#include "tree/config.hpp"

namespace takt::bench {
namespace {

std::int64_t sum(const tree_problem::node* n) {
  if (n->left == nullptr) {
    return n->value;
  }
  std::int64_t a = 0;
  tbb::task_group group;
  group.run([&a, n] { a = sum(n->left); });
  const std::int64_t b = sum(n->right);
  group.wait();
  return a + b + n->value;
}

const enrol<tree_problem> tasks("tbb", [](const tree_problem::input& in, std::int64_t& out) {
  out = sum(in.root());
});

}  // namespace
}  // namespace takt::bench
