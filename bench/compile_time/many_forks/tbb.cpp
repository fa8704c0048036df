#include <tbb/parallel_invoke.h>

#include "data.hpp"

namespace {

template <int K>
long sum(node* n) {
  if (n == nullptr) return K;
  long a = 0;
  long b = 0;
  tbb::parallel_invoke([&] { a = sum<K>(n->left); }, [&] { b = sum<K>(n->right); });
  return a + b + n->value;
}

template <int... K>
long all_sums(node* root, std::integer_sequence<int, K...>) {
  return (sum<K>(root) + ...);
}

}  // namespace

long many_forks(node* root) { return all_sums(root, std::make_integer_sequence<int, k_forks>{}); }
