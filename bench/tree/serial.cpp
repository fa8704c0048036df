#include "tree/config.hpp"

namespace takt::bench {
namespace {

[[gnu::noinline]] std::int64_t sum(const tree_problem::node* n) {
  if (n->left == nullptr) {
    return n->value;
  }
  return sum(n->left) + sum(n->right) + n->value;
}

const enrol<tree_problem> serial("serial", [](const tree_problem::input& in, std::int64_t& out) {
  out = sum(in.root());
});

}  // namespace
}  // namespace takt::bench
