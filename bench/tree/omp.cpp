#include "harness/omp_support.hpp"
#include "tree/config.hpp"

namespace takt::bench {
namespace {

std::int64_t sum(const tree_problem::node* n) {
  if (n->left == nullptr) {
    return n->value;
  }
  std::int64_t a = 0;
#pragma omp task shared(a) firstprivate(n)
  a = sum(n->left);
  const std::int64_t b = sum(n->right);
#pragma omp taskwait
  return a + b + n->value;
}

const enrol<tree_problem> tasks("omp", [](const tree_problem::input& in, std::int64_t& out) {
  omp_root([&] { out = sum(in.root()); });
});

}  // namespace
}  // namespace takt::bench
