// From a seed to a program.
#include "conformance/program.hpp"

#include <algorithm>
#include <cmath>

namespace takt_test {

namespace {

constexpr int k_most_depth = 10;

class maker {
 public:
  explicit maker(std::uint64_t seed) : state_(mix(seed, 0x7461'6b74)) {
    // Half of the programs never throw; in the others one node in a hundred to one in five may.
    if (below(2) == 0) throwing_nodes_ = 10u << below(5);
  }

  node make() {
    // Sizes spread evenly over the orders of magnitude.
    const double size = 10.0 * std::pow(200.0, unit());
    return make(static_cast<std::uint32_t>(size), k_most_depth);
  }

 private:
  std::uint64_t next() { return state_ = mix(state_, 1); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  node make(std::uint32_t budget, int depth) {
    node n;
    n.id = ++nodes_;
    n.variant = below(1u << 16);
    if (below(1000) < throwing_nodes_) n.throws = 1 + below(below(2) == 0 ? 1000 : 50);
    if (depth == 0 || budget < 3) {
      // Mostly short; now and then as long as a beat or longer.
      n.count = static_cast<std::uint32_t>(std::exp(unit() * (below(200) == 0 ? 11.0 : 6.5)));
      return n;
    }
    switch (below(16)) {
      case 0:
      case 1:
        n.what = kind::sequence;
        share(n, 2 + below(3), budget, depth);
        break;
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        n.what = kind::fork;
        share(n, below(2) == 0 ? 2 : 2 + below(4), budget, depth);
        break;
      case 7:
      case 8:
      case 9:
        repeat(n, kind::loop, budget, depth);
        break;
      case 10:
        repeat(n, kind::reduce_numbers, budget, depth);
        break;
      case 11:
        repeat(n, kind::reduce_lists, budget, depth);
        break;
      case 12:
      case 13:
        n.what = kind::group;
        share(n, 1 + below(8), budget, depth);
        break;
      default:
        n.what = kind::handler;
        share(n, 2, budget, depth);
        break;
    }
    return n;
  }

  // Children that each run once. One of them often gets most of the budget: that is how programs become deep.
  void share(node& n, std::uint32_t children, std::uint32_t budget, int depth) {
    const std::uint32_t favoured = below(2) == 0 ? below(children) : children;
    std::uint32_t left = budget - 1;
    for (std::uint32_t c = 0; c < children; ++c) {
      std::uint32_t part = left / (children - c);
      if (c == favoured) part = left - left / 8;
      if (c > favoured) part = left / (children - c);
      left -= std::min(left, part);
      n.children.push_back(make(part, depth - 1));
    }
  }

  // One to three bodies that the iterations use in turn. Sometimes there is no iteration at all.
  void repeat(node& n, kind what, std::uint32_t budget, int depth) {
    n.what = what;
    const std::uint32_t most = std::max(2u, below(3) == 0 ? budget : budget / 8);
    n.count = below(20) == 0 ? 0 : 1 + below(below(2) == 0 ? std::min(most, 6u) : most);
    const std::uint32_t each = budget / std::max(n.count, 1u);
    const std::uint32_t bodies = 1 + below(3);
    for (std::uint32_t b = 0; b < bodies; ++b) n.children.push_back(make(each, depth - 1));
  }

  std::uint64_t state_;
  std::uint32_t nodes_ = 0;
  std::uint32_t throwing_nodes_ = 0;  // of a thousand
};

const char* name_of(kind k) {
  switch (k) {
    case kind::leaf:
      return "leaf";
    case kind::sequence:
      return "sequence";
    case kind::fork:
      return "fork";
    case kind::loop:
      return "loop";
    case kind::reduce_numbers:
      return "reduce_numbers";
    case kind::reduce_lists:
      return "reduce_lists";
    case kind::group:
      return "group";
    case kind::handler:
      return "handler";
  }
  return "?";
}

void describe(const node& n, std::size_t indent, std::string& out) {
  out.append(2 * indent, ' ');
  out += name_of(n.what);
  out += " id=" + std::to_string(n.id) + " count=" + std::to_string(n.count) +
         " variant=" + std::to_string(n.variant) + " throws=" + std::to_string(n.throws) + "\n";
  for (const node& c : n.children) describe(c, indent + 1, out);
}

}  // namespace

node make_program(std::uint64_t seed) { return maker(seed).make(); }

std::string describe(const node& program) {
  std::string out;
  describe(program, 0, out);
  return out;
}

}  // namespace takt_test
