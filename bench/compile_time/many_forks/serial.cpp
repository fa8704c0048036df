#include "data.hpp"

namespace {

template <int K>
long sum(node* n) {
  if (n == nullptr) return K;
  return sum<K>(n->left) + sum<K>(n->right) + n->value;
}

template <int... K>
long all_sums(node* root, std::integer_sequence<int, K...>) {
  return (sum<K>(root) + ...);
}

}  // namespace

long many_forks(node* root) { return all_sums(root, std::make_integer_sequence<int, k_forks>{}); }
