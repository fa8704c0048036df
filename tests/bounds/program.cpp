#include "bounds/program.hpp"

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

namespace takt_bounds {

namespace {

node leaf(std::uint64_t ticks) {
  node n;
  n.ticks = ticks;
  return n;
}

node pair(kind what, node left, node right) {
  node n;
  n.what = what;
  n.children.push_back(std::move(left));
  n.children.push_back(std::move(right));
  return n;
}

node small_tree(unsigned depth, std::uint64_t ticks) {
  if (depth == 0) return leaf(ticks);
  node left = small_tree(depth - 1, ticks);
  return pair(kind::fork, std::move(left), small_tree(depth - 1, ticks));
}

class maker {
 public:
  maker(std::uint64_t seed, std::uint64_t longest) : random_(seed), longest_(longest) {}

  node make(unsigned leaves) {
    if (leaves < 2) return leaf(1 + below(longest_));
    const unsigned choice = below(10);
    if (choice == 0 && leaves >= 8) {
      node n;
      n.what = kind::loop;
      n.count = 2 + below(std::min(leaves / 2, 60u));
      n.children.push_back(make(leaves / static_cast<unsigned>(n.count)));
      return n;
    }
    // Even, or as uneven as can be, on either side.
    unsigned left = leaves / 2;
    if (below(3) == 0) left = std::max(1u, leaves / 16);
    if (below(3) == 0) left = leaves - left;
    left = std::clamp(left, 1u, leaves - 1);
    node first = make(left);
    return pair(choice == 1 ? kind::sequence : kind::fork, std::move(first), make(leaves - left));
  }

 private:
  template <class T>
  T below(T n) {
    return static_cast<T>(random_() % n);
  }
  std::mt19937_64 random_;
  std::uint64_t longest_;
};

}  // namespace

node make_program(std::uint64_t seed, std::uint64_t longest) {
  std::mt19937_64 random(seed);
  return maker(random(), longest).make(static_cast<unsigned>(50 + random() % 1500));
}

node make_ladder(unsigned rungs, unsigned steps, std::uint64_t ticks) {
  node rest = leaf(ticks);
  for (unsigned r = 0; r < rungs; ++r) {
    node left = small_tree(3, ticks);
    for (unsigned s = 1; s < steps; ++s) left = pair(kind::sequence, std::move(left), small_tree(3, ticks));
    rest = pair(kind::fork, std::move(left), std::move(rest));
  }
  return rest;
}

std::uint64_t work(const node& n) {
  switch (n.what) {
    case kind::leaf:
      return n.ticks;
    case kind::loop:
      return n.count * work(n.children[0]);
    case kind::sequence:
    case kind::fork:
      break;
  }
  return work(n.children[0]) + work(n.children[1]);
}

std::uint64_t span(const node& n, std::uint64_t tau) {
  switch (n.what) {
    case kind::leaf:
      return n.ticks;
    case kind::loop:
      return span(n.children[0], tau) + tau * static_cast<std::uint64_t>(std::bit_width(n.count - 1));
    case kind::sequence:
      return span(n.children[0], tau) + span(n.children[1], tau);
    case kind::fork:
      break;
  }
  return tau + std::max(span(n.children[0], tau), span(n.children[1], tau));
}

}  // namespace takt_bounds
