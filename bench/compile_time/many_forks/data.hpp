// Twenty kinds of a recursion that forks.
#pragma once

#include <utility>

inline constexpr int k_forks = 20;

struct node {
  node* left;
  node* right;
  long value;
};

long many_forks(node* root);
