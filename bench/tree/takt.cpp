#include "tree/config.hpp"

#include <takt/takt.hpp>
#include <takt/touch.hpp>

namespace takt::bench {
namespace {

TAKT_BENCH_RECURSIVE std::int64_t sum(const tree_problem::node* n) {
  takt::touch(n, sizeof *n);
  if (n->left == nullptr) {
    return n->value;
  }
  auto [a, b] = takt::fork_join([=] { return sum(n->left); }, [=] { return sum(n->right); });
  return a + b + n->value;
}

const enrol<tree_problem> forks("takt", [](const tree_problem::input& in, std::int64_t& out) {
  out = sum(in.root());
});

}  // namespace
}  // namespace takt::bench
