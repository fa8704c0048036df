// tree: sums the values of a perfect binary tree on the heap, a fork at each inner node.
#pragma once

#include <cstdint>

#include "harness/problem.hpp"

namespace takt::bench {

struct tree_problem {
  static constexpr problem_info info{.name = "tree",
                                     .about = "sum over a balanced tree of heap nodes",
                                     .form = kind::forks,
                                     .size_unit = "depth",
                                     .size_default = 24,
                                     .size_min = 1,
                                     .size_max = 32};
  struct node {
    node* left;
    node* right;
    std::int64_t value;
  };

  // Owns 2^depth - 1 nodes. They are allocated one by one in the order in which the sum visits
  // them: in any other order the memory system and not the runtime decides the time.
  class input {
   public:
    explicit input(int depth) : root_(build(depth)) {}
    input(const input&) = delete;
    input& operator=(const input&) = delete;
    ~input() { destroy(root_); }

    const node* root() const { return root_; }

   private:
    node* build(int depth) {
      node* n = new node{nullptr, nullptr, next_value_++};
      if (depth > 1) {
        n->left = build(depth - 1);
        n->right = build(depth - 1);
      }
      return n;
    }
    static void destroy(node* n) {
      if (n->left != nullptr) {
        destroy(n->left);
        destroy(n->right);
      }
      delete n;
    }

    std::int64_t next_value_ = 1;
    node* root_;
  };
  using answer = std::int64_t;

  static input make(const request& wanted) {
    return input(static_cast<int>(size_of(wanted, info)));
  }
  static void reset(const input& /*in*/, answer& out) { out = -1; }
  static bool same(const input& /*in*/, answer got, answer expected) { return got == expected; }
};

}  // namespace takt::bench
